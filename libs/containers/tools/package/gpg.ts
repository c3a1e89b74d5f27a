import { type Bytes, fromArray } from '../../../engine/kernel/bytes.js';
import { decodeBase64 } from '../../../engine/machinery/text/base64.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, strerror, type ToolContext } from '../framework/tool.js';
import { writeWholeFile } from '../whole-file.js';

const VERSION = 'gpg (GnuPG) 2.4.7\nlibgcrypt 1.11.0\n';
const OPTIONS = ['dearmor', 'dearmour', 'o,output:', 'yes', 'batch', 'q,quiet', 'no-tty', 'homedir:'];
/**
 * `gpg --dearmor`, by which guides make keyrings of apt. Models g10/dearmor.c. Left out, and said so: keys, signatures,
 * encryption, and the checksum of what is armored.
 */
export const gpg = defineTool((tool) => {
  if (tool.args.includes('--version')) {
    tool.out(VERSION);
    return 0;
  }
  if (!tool.args.some((word) => word === '--dearmor' || word === '--dearmour')) {
    tool.err('gpg: this simulation knows --dearmor alone\n');
    return 2;
  }
  const options = parseOptions(tool, OPTIONS);
  const [path = '-'] = options.operands;
  const output = options.value('o') ?? (path === '-' ? '-' : `${path}.gpg`);
  let armored: Bytes;
  try {
    armored = tool.input(path);
  } catch (error) {
    tool.err(`gpg: can't open '${path}': ${strerror(error)}\ngpg: dearmoring failed: ${strerror(error)}\n`);
    return 2;
  }
  if (output !== '-' && tool.sys.access(output, '') && !options.has('yes')) return refuseToReplace(tool, output);
  const binary = dearmor(armored);
  if (binary === undefined) tool.err('gpg: no valid OpenPGP data found.\n');
  return write(tool, output, binary ?? '') && binary !== undefined ? 0 : 2;
});

/** Headers end at an empty line, and a checksum begins with `=`. Undefined: there is no armor. Models RFC 9580, 6.2. */
function dearmor(text: Bytes): Bytes | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const begin = lines.findIndex((line) => line.startsWith('-----BEGIN PGP ') && line.endsWith('-----'));
  const blank = lines.indexOf('', begin + 1);
  const end = lines.findIndex((line, i) => i > blank && line.startsWith('-----END PGP '));
  if (begin < 0 || blank < 0 || end < 0) return undefined;
  const body = lines.slice(blank + 1, end).filter((line) => !line.startsWith('='));
  return body.every((line) => /^[A-Za-z0-9+/=]*$/.test(line)) ? fromArray(decodeBase64(body.join(''))) : undefined;
}

/** gpg asks at the terminal whether it may. */
function refuseToReplace({ err, sys }: ToolContext, output: Bytes): number {
  err(
    sys.isTerminal(2)
      ? `File '${output}' exists. Overwrite? (y/N) \ngpg: this simulation reads no answer: see --yes\n`
      : "gpg: cannot open '/dev/tty': No such device or address\n",
  );
  return 2;
}

function write(tool: ToolContext, output: Bytes, bytes: Bytes): boolean {
  if (output === '-') {
    tool.out(bytes);
    return true;
  }
  try {
    writeWholeFile(tool.sys, output, bytes);
    return true;
  } catch (error) {
    tool.err(`gpg: can't create '${output}': ${strerror(error)}\ngpg: dearmoring failed: ${strerror(error)}\n`);
    return false;
  }
}
