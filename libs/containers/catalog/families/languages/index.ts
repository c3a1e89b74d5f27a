import type { Image, ImageConfig, Process, Start } from '@terrarium/engine';
import { serverProcess, toolImage } from '../../../programs/server.js';
import { isTool } from '../../../programs/tools.js';
import { versionOf } from '../../bases.js';
import { languageFiles } from './files.js';

interface Language {
  readonly names: readonly string[];
  /** In /usr/local/bin: 'NAME' or 'NAME=PROGRAM'. */
  readonly programs: string;
  /** Those of them that run files. */
  readonly runs: RegExp;
  readonly cmd: readonly string[];
  /** The variable that has the version, and the newest one. */
  readonly versions?: readonly [variable: string, newest: string];
  /** Tags with another main program. */
  readonly servers?: readonly { readonly tags: RegExp; readonly cmd: string; readonly port: number }[];
}

const PYTHON = 'python=apps:python python3=apps:python';

/** Standard input is not read here: what images start by themselves finds none, and ends. */
const LANGUAGES: readonly Language[] = [
  {
    names: ['python'],
    programs: `${PYTHON} pip=pip pip3=pip`,
    runs: /^python3?$/,
    cmd: ['python3'],
    versions: ['PYTHON_VERSION', '3.14.2'],
  },
  {
    names: ['node'],
    programs: `node npm npx yarn ${PYTHON}`,
    runs: /^node$/,
    cmd: ['node'],
    versions: ['NODE_VERSION', '26.0.0'],
  },
  { names: ['golang'], programs: 'go', runs: /^go$/, cmd: ['bash'] },
  { names: ['ruby'], programs: 'ruby irb', runs: /^ruby$/, cmd: ['irb'] },
  {
    ...{ names: ['php'], programs: 'php apache2-foreground php-fpm', runs: /^php$/, cmd: ['php', '-a'] },
    versions: ['PHP_VERSION', '8.5.1'],
    servers: [
      { tags: /apache/, cmd: 'apache2-foreground', port: 80 },
      { tags: /fpm/, cmd: 'php-fpm', port: 9000 },
    ],
  },
  { names: ['openjdk', 'eclipse-temurin'], programs: 'java javac jshell', runs: /^java$/, cmd: ['jshell'] },
  { names: ['rust'], programs: 'cargo rustc', runs: /^cargo$/, cmd: ['bash'] },
  { names: ['gradle'], programs: 'gradle java javac jshell', runs: /^java$/, cmd: ['gradle'] },
  { names: ['maven'], programs: 'mvn java javac jshell', runs: /^java$/, cmd: ['mvn'] },
  { names: ['oven/bun'], programs: 'bun', runs: /^bun$/, cmd: ['bun'] },
  { names: ['denoland/deno'], programs: 'deno', runs: /^deno$/, cmd: ['deno'] },
];

const TAGS =
  /^(latest|lts|current|slim|alpine|[a-z]*\d+(\.\d{1,3}){0,3})([_-][\w.-]+)?$|^(slim|alpine|lts|current)-[a-z0-9.-]+$/;

const serve = serverProcess({ declared: true, probed: true, readyAfterMs: 400, stop: null });

/**
 * Language runtimes. A file that is there, or may be, is a server that runs on; one that is in neither the image nor
 * its volumes is missed by the interpreter itself, in a machine.
 */
export const languages: readonly Image[] = LANGUAGES.map((language) => {
  const { names, programs, cmd, versions, servers = [] } = language;
  const serverOf = (tag: string) => servers.find(({ tags }) => tags.test(tag));
  const configOf = (tag: string): ImageConfig => {
    const server = serverOf(tag);
    return server ? { cmd: [server.cmd], exposedPorts: [server.port] } : {};
  };
  return toolImage(
    {
      ...{ names, tags: TAGS, layersMB: [48.5, 24.0, 64.4, 211.2, 6.2, 24.9], config: { cmd } },
      files: languageFiles('', programs),
      variant: (tag) => ({
        files: languageFiles(tag, programs),
        config: configOf(tag),
        ...(versions ? { env: { [versions[0]]: versionOf(tag, versions[1]) } } : {}),
      }),
    },
    (start) => run(language, start),
  );
});

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function run({ runs, servers = [] }: Language, start: Start): Process | undefined {
  const { argv } = start;
  const [program = ''] = argv;
  const server = servers.find(({ cmd }) => cmd === baseName(program));
  if (server) return serverProcess({ ports: [server.port], readyAfterMs: 400 })(start);
  if (!runs.test(baseName(program)) || isTool(argv) || argv.includes('http.server')) return undefined;
  const runsCode = argv.some((a) => /^(?:-c|-e|-p|-r|--version|-V|-v|-version)$/.test(a));
  return argv.length < 2 || runsCode || isMissing(start) ? undefined : serve(start);
}

/** The file of the command line is in none of the container's volumes, or in one whose files are known without it. */
function isMissing(start: Start): boolean {
  const { argv, container } = start;
  const script = argv.slice(1).find((word) => /\.\w+$/.test(word) && !word.startsWith('-'));
  if (script === undefined)
    return baseName(argv[0]!) === 'java' && !argv.some((word) => /^-(?:cp|classpath)$/.test(word));
  const cwd = (container.workingDir ?? '').replace(/\/$/, '');
  const path = script.startsWith('/') ? script : `${cwd}/${script.replace(/^\.\//, '')}`;
  const isAt = (mountPath: string): boolean => `${path}/`.startsWith(`${mountPath.replace(/\/$/, '')}/`);
  const mount = container.volumeMounts?.find(({ mountPath }) => isAt(mountPath));
  if (mount === undefined) return true;
  const known = Object.keys(start.files());
  return !known.includes(path) && known.some((file) => file.startsWith(mount.mountPath));
}
