import { type Bytes, fromArray, toArray } from '../../../engine/kernel/bytes.js';
import { decodeBase64 } from '../../../engine/machinery/text/base64.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, strerror, type ToolContext } from '../framework/tool.js';
import { writeWholeFile } from '../whole-file.js';

const VERSION = 'gpg (GnuPG) 2.4.7\nlibgcrypt 1.11.0\n';
const OPTIONS = ['dearmor', 'dearmour', 'o,output:', 'yes', 'batch', 'q,quiet', 'no-tty', 'homedir:'];
const ARMOR =
  /^-----BEGIN PGP [A-Z ,0-9/]+-----\s*\n(?:[^\n]+: [^\n]*\n)*\s*\n([A-Za-z0-9+/=\s]+?)\n=([A-Za-z0-9+/]{4})\s*\n-----END PGP/m;

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
  const [, body] = ARMOR.exec(armored) ?? [];
  if (body === undefined) tool.err('gpg: no valid OpenPGP data found.\n');
  return write(tool, output, body === undefined ? '' : binaryOf(body)) && body !== undefined ? 0 : 2;
});

const binaryOf = (body: Bytes): Bytes => fromArray(decodeBase64(body.replaceAll(/\s/g, '')));

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
