import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { DerError } from '../../../engine/machinery/crypto/x509/der.js';
import { decodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import { loadFile, saveFile } from '../editors/core/file.js';
import type { FilterContext } from '../framework/filter.js';
import { type PrivateKey, readPrivateKey } from './keys.js';
import { CommandFailure } from './options.js';
import { type CertificateParts, readCertificate } from './show.js';

/** What a command of openssl has at hand. */
export interface OpensslContext {
  readonly tool: FilterContext;
  /** All of standard input, when the command reads it. */
  readonly stdin: Bytes;
  /** The key that was made for it. */
  readonly newKey: PrivateKey | undefined;
}

/** A file, or standard input. */
export function readInput({ tool, stdin }: OpensslContext, path: Bytes | undefined, what: string): Bytes {
  if (path === undefined || path === '-') return stdin;
  try {
    const content = loadFile(tool.sys, path);
    if (content !== undefined) return content;
    throw new SystemError('ENOENT');
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const lines = [`Could not open file or uri for loading ${what} from ${path}`, `Unable to load ${what}`];
    throw new CommandFailure(`${lines[0]}: ${error.message}\n${lines[1]}`);
  }
}

/** Prints, or writes the file of -out; keys are their owner's alone. */
export function writeOutput({ tool }: OpensslContext, path: Bytes | undefined, bytes: Bytes, isSecret = false): void {
  if (path === undefined || path === '-') return tool.out(bytes);
  try {
    const isNew = !tool.sys.access(path, '');
    saveFile(tool.sys, path, bytes);
    if (isSecret && isNew) tool.sys.chmod(path, 0o600);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new CommandFailure(`Can't open "${path}" for writing, ${error.message}`);
  }
}

export function loadCertificate(context: OpensslContext, path: Bytes | undefined): CertificateParts {
  const block = decodePem(readInput(context, path, 'certificate')).find(({ type }) => /CERTIFICATE$/.test(type));
  try {
    if (block !== undefined) return readCertificate(block.bytes);
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
  }
  throw new CommandFailure(`Could not read certificate from ${path ?? '<stdin>'}\nUnable to load certificate`);
}

export function loadKey(context: OpensslContext, path: Bytes | undefined): PrivateKey {
  const key = readPrivateKey(readInput(context, path, 'private key'));
  if (key === undefined) throw new CommandFailure(`Could not read private key from ${path ?? '<stdin>'}`);
  return key;
}

/** Random bytes of the machine. */
export function randomBytes({ sys }: FilterContext, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => Math.floor(sys.random() * 256));
}
