import type { Bytes } from '../../../engine/kernel/bytes.js';

interface Asked {
  /** As it stands in the command line, and as an absolute path. */
  readonly script: Bytes;
  readonly path: Bytes;
  readonly cwd: Bytes;
  /** Virtual ms. */
  readonly now: number;
}

/** What an interpreter that is not simulated says for itself, in the words of the present one. */
export interface Runtime {
  readonly asksVersion: readonly string[];
  readonly version: string;
  /** The variable of its image that has the version. */
  readonly versionIn?: string;
  /** The file that a command line runs; undefined: none, or it is not known. */
  script(args: readonly Bytes[]): Bytes | undefined;
  /** That file is not there. */
  missing(asked: Asked): { readonly text: Bytes; readonly code: number };
  /** What it prints when it has read nothing to run from standard input, and ends with 0. */
  readonly idle: Bytes;
}

/** The first word that is no option. */
const firstFile = (args: readonly Bytes[]): Bytes | undefined =>
  args.some((word) => /^(?:-e|-p|-r|-i|--eval|--print)$/.test(word))
    ? undefined
    : args.find((word) => !word.startsWith('-'));

const NODE = 'v22.21.1';

const node: Runtime = {
  asksVersion: ['--version', '-v'],
  version: NODE,
  versionIn: 'NODE_VERSION',
  script: firstFile,
  missing: ({ path }) => ({
    text:
      `node:internal/modules/cjs/loader:1386\n  throw err;\n  ^\n\nError: Cannot find module '${path}'\n` +
      '    at Function._resolveFilename (node:internal/modules/cjs/loader:1383:15)\n' +
      '    at defaultResolveImpl (node:internal/modules/cjs/loader:1025:19)\n' +
      '    at resolveForCJSWithHooks (node:internal/modules/cjs/loader:1030:22)\n' +
      '    at Function._load (node:internal/modules/cjs/loader:1192:37)\n' +
      '    at TracingChannel.traceSync (node:diagnostics_channel:322:14)\n' +
      '    at wrapModuleLoad (node:internal/modules/cjs/loader:237:24)\n' +
      '    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:171:5)\n' +
      '    at node:internal/main/run_main_module:36:49 {\n' +
      `  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js ${NODE}\n`,
    code: 1,
  }),
  idle: '',
};

/** npm and yarn look for package.json where they stand. */
const npm: Runtime = {
  asksVersion: ['--version', '-v'],
  version: '10.9.4',
  script: (args) => (/^(?:start|run|run-script|test|ci|t)$/.test(args[0] ?? '') ? 'package.json' : undefined),
  missing: ({ path, now }) => ({
    text: [
      'code ENOENT',
      'syscall open',
      `path ${path}`,
      'errno -2',
      `enoent Could not read package.json: Error: ENOENT: no such file or directory, open '${path}'`,
      'enoent This is related to npm not being able to find a file.',
      'enoent',
      `A complete log of this run can be found in: /root/.npm/_logs/${stamp(now)}-debug-0.log`,
    ]
      .map((line) => `npm error ${line}\n`)
      .join(''),
    code: 254,
  }),
  idle: '',
};

const stamp = (now: number): string => new Date(now).toISOString().replace(/[:.]/g, '_');

const ruby: Runtime = {
  asksVersion: ['--version', '-v'],
  version: 'ruby 3.4.7 (2025-10-08 revision 7a5688e2a2) +PRISM [x86_64-linux]',
  script: firstFile,
  missing: ({ script }) => ({ text: `ruby: No such file or directory -- ${script} (LoadError)\n`, code: 1 }),
  idle: '',
};

const irb: Runtime = { ...ruby, version: 'irb 1.14.3 (2024-12-18)', idle: 'Switch to inspect mode.\n\n' };

const php: Runtime = {
  asksVersion: ['--version', '-v'],
  version:
    'PHP 8.4.14 (cli) (built: Oct 23 2025 20:52:31) (NTS)\nCopyright (c) The PHP Group\nZend Engine v4.4.14, Copyright (c) Zend Technologies',
  script: (args) => (args.includes('-S') ? undefined : firstFile(args)),
  missing: ({ script }) => ({ text: `Could not open input file: ${script}\n`, code: 1 }),
  idle: '',
};

/** `-jar FILE`; else a class, of which nothing is there. */
const java: Runtime = {
  asksVersion: ['-version', '--version'],
  version: 'openjdk 21.0.9 2025-10-21 LTS',
  script(args) {
    const jar = args.indexOf('-jar');
    return jar >= 0 ? args[jar + 1] : args.find((word) => !word.startsWith('-'));
  },
  missing: ({ script }) => ({
    text: script.endsWith('.jar')
      ? `Error: Unable to access jarfile ${script}\n`
      : `Error: Could not find or load main class ${script}\nCaused by: java.lang.ClassNotFoundException: ${script}\n`,
    code: 1,
  }),
  idle: '',
};

const jshell: Runtime = {
  ...java,
  idle: '|  Welcome to JShell -- Version 21.0.9\n|  For an introduction type: /help intro\n\njshell> \n',
};

const go: Runtime = {
  asksVersion: ['version'],
  version: 'go version go1.25.3 linux/amd64',
  script: (args) => (args[0] === 'run' ? args.slice(1).find((word) => !word.startsWith('-')) : undefined),
  missing: ({ script }) => ({
    text: script.endsWith('.go')
      ? `no required module provides package ${script}: go.mod file not found in current directory or any parent directory; see 'go help modules'\n`
      : "go: go.mod file not found in current directory or any parent directory; see 'go help modules'\n",
    code: 1,
  }),
  idle: '',
};

export const RUNTIMES: Readonly<Record<string, Runtime>> = { node, npm, ruby, irb, php, java, jshell, go };
