/** Commands with commands of their own, and what each of those does. */
export const HELP: Readonly<Record<string, { readonly about: string; readonly commands: readonly string[] }>> = {
  '': {
    about: 'The Kubernetes package manager',
    commands: [
      'completion  generate autocompletion scripts for the specified shell',
      'create      create a new chart with the given name',
      "dependency  manage a chart's dependencies",
      'env         helm client environment information',
      'get         download extended information of a named release',
      'help        Help about any command',
      'history     fetch release history',
      'install     install a chart',
      'lint        examine a chart for possible issues',
      'list        list releases',
      'package     package a chart directory into a chart archive',
      'plugin      install, list, or uninstall Helm plugins',
      'pull        download a chart from a repository and (optionally) unpack it in local directory',
      'push        push a chart to remote',
      'registry    login to or logout from a registry',
      'repo        add, list, remove, update, and index chart repositories',
      'rollback    roll back a release to a previous revision',
      'search      search for a keyword in charts',
      'show        show information of a chart',
      'status      display the status of the named release',
      'template    locally render templates',
      'test        run tests for a release',
      'uninstall   uninstall a release',
      'upgrade     upgrade a release',
      'verify      verify that a chart at the given path has been signed and is valid',
      'version     print the client version information',
    ],
  },
  dependency: {
    about: 'Manage the dependencies of a chart.',
    commands: [
      'build       rebuild the charts/ directory based on the Chart.lock file',
      'list        list the dependencies for the given chart',
      'update      update charts/ based on the contents of Chart.yaml',
    ],
  },
  get: {
    about:
      'This command consists of multiple subcommands which can be used to\nget extended information about the release.',
    commands: [
      'all         download all information for a named release',
      'hooks       download all hooks for a named release',
      'manifest    download the manifest for a named release',
      'metadata    This command fetches metadata for a given release',
      'notes       download the notes for a named release',
      'values      download the values file for a named release',
    ],
  },
  plugin: {
    about: 'Manage client-side Helm plugins.',
    commands: [
      'install     install one or more Helm plugins',
      'list        list installed Helm plugins',
      'uninstall   uninstall one or more Helm plugins',
      'update      update one or more Helm plugins',
    ],
  },
  registry: {
    about: 'This command consists of multiple subcommands to interact with registries.',
    commands: ['login       login to a registry', 'logout      logout from a registry'],
  },
  repo: {
    about: 'This command consists of multiple subcommands to interact with chart repositories.',
    commands: [
      'add         add a chart repository',
      'index       generate an index file given a directory containing packaged charts',
      'list        list chart repositories',
      'remove      remove one or more chart repositories',
      'update      update information of available charts locally from chart repositories',
    ],
  },
  search: {
    about: 'Search provides the ability to search for Helm charts in the various places they can be stored.',
    commands: [
      'hub         search for charts in the Artifact Hub or your own hub instance',
      'repo        search repositories for a keyword in charts',
    ],
  },
  show: {
    about: 'This command consists of multiple subcommands to display information about a chart',
    commands: [
      'all         show all information of the chart',
      "chart       show the chart's definition",
      "crds        show the chart's CRDs",
      "readme      show the chart's README",
      "values      show the chart's values",
    ],
  },
};

/** The help of a group of commands; '': of helm itself. */
export function helpText(group: string): string {
  const { about, commands } = HELP[group]!;
  const path = group === '' ? 'helm' : `helm ${group}`;
  return `${about}\n\nUsage:\n  ${path} [command]\n\nAvailable Commands:\n${commands.map((line) => `  ${line}\n`).join('')}\nFlags:\n  -h, --help   help for ${group || 'helm'}\n\nUse "${path} [command] --help" for more information about a command.\n`;
}
