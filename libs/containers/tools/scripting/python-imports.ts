import { PythonError } from './python-values.js';

/** Python's own modules, as far as one-liners import them. */
const MODULES = new Set(
  (
    '__future__ abc argparse array ast asyncio atexit base64 bisect calendar collections concurrent configparser contextlib ' +
    'copy csv ctypes datetime decimal enum errno fcntl functools gc getpass glob gzip hashlib heapq hmac html http io ' +
    'ipaddress itertools json locale logging math mmap multiprocessing operator os pathlib platform pprint queue random re ' +
    'resource secrets select shutil signal socket socketserver sqlite3 ssl stat statistics string struct subprocess sys ' +
    'tempfile textwrap this threading time timeit traceback types typing unittest urllib uuid warnings xml zipfile zlib'
  ).split(' '),
);

/** What a name of a program stands for: `{ t: 'time', sleep: 'time.sleep' }`. */
export type Names = Record<string, string>;

/**
 * Adds what an import statement brings: `import a.b, c as d`, `from a import b as c, d`. False: it is none. Throws
 * PythonError when there is no such module.
 */
export function addImports(text: string, names: Names): boolean {
  const [, module, given] = /^(?:from +([\w.]+) +)?import ([^\n]+)$/.exec(text) ?? [];
  const list = given?.trim();
  if (list === undefined) return false;
  const items = list
    .replace(/^\((.*)\)$/s, '$1')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
  for (const item of items) {
    const [, name, alias] = /^([\w.]+|\*)(?: +as +(\w+))?$/.exec(item) ?? [];
    if (name === undefined) return false;
    requireModule(module ?? name);
    const whole = module === undefined ? name : `${module}.${name}`;
    if (alias !== undefined) names[alias] = whole;
    else if (module !== undefined) names[name] = whole;
    else names[name.split('.', 1)[0]!] = name.split('.', 1)[0]!;
  }
  return true;
}

function requireModule(path: string): void {
  const [first = ''] = path.split('.', 1);
  if (!MODULES.has(first)) throw new PythonError(`ModuleNotFoundError: No module named '${first}'`);
}

/** Functions that are there without an import. */
const BUILT_IN = /^(?:print|int|float|str|len|bool|bytearray|bytes|exit|quit|range|abs|min|max|round)$/;

/** A name in full: 't.sleep' is 'time.sleep' after `import time as t`. Throws PythonError: nobody imported it. */
export function resolve(name: string, names: Names): string {
  if (BUILT_IN.test(name)) return name;
  const [first = '', ...rest] = name.split('.');
  const found = names[first];
  if (found !== undefined) return [found, ...rest].join('.');
  for (const [star, whole] of Object.entries(names))
    if (star === '*' && rest.length === 0) return `${whole.slice(0, -1)}${name}`;
  if (rest.length > 0 && MODULES.has(first)) throw new PythonError(`NameError: name '${first}' is not defined`);
  return name;
}
