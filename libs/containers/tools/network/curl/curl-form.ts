import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { FilterContext } from '../../framework/filter.js';
import { lastName } from '../../names.js';

/** `name=content`, `name=@file;type=…;filename=…`, `name=<file`. */
export interface FormField {
  readonly text: Bytes;
  /** Of --form-string: @, < and ; stand for themselves. */
  readonly isLiteral: boolean;
}

const TRY = "curl: try 'curl --help' or 'curl --manual' for more information";

/** What is wrong with a form: curl's exit code, and what it prints. */
export class FormFault extends Error {
  constructor(
    readonly code: 2 | 26,
    message: string,
  ) {
    super(message);
  }
}

/** curl knows few types by the end of a name. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ gif: 'image/gif', jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', svg: 'image/svg+xml' },
  ...{ txt: 'text/plain', htm: 'text/html', html: 'text/html', pdf: 'application/pdf', xml: 'application/xml' },
};
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The body of a multipart/form-data request, and its content type. Throws FormFault. */
export function makeForm(
  tool: FilterContext,
  fields: readonly FormField[],
): { readonly body: Bytes; readonly contentType: string } {
  const letters = Array.from({ length: 22 }, () => LETTERS[Math.floor(tool.sys.random() * LETTERS.length)]);
  const boundary = `------------------------${letters.join('')}`;
  const parts = fields.map((field) => `--${boundary}\r\n${partOf(tool, field)}\r\n`);
  return { body: `${parts.join('')}--${boundary}--\r\n`, contentType: `multipart/form-data; boundary=${boundary}` };
}

function partOf(tool: FilterContext, { text, isLiteral }: FormField): Bytes {
  const equals = text.indexOf('=');
  if (equals < 0)
    throw new FormFault(2, `Warning: Illegally formatted input field!\ncurl: option -F: is badly used here\n${TRY}\n`);
  const disposition = `Content-Disposition: form-data; name="${escapeName(text.slice(0, equals))}"`;
  const value = text.slice(equals + 1);
  if (isLiteral) return `${disposition}\r\n\r\n${value}`;
  const [first = '', ...settings] = value.split(';');
  const named = (key: string): Bytes | undefined =>
    settings
      .find((one) => one.trim().startsWith(`${key}=`))
      ?.trim()
      .slice(key.length + 1)
      .replace(/^"|"$/g, '');
  const isFile = first.startsWith('@');
  const path = first.slice(1);
  const content = isFile || first.startsWith('<') ? readFile(tool, path) : first;
  const name = named('filename') ?? (isFile ? lastName(path) : undefined);
  const type = named('type') ?? (isFile ? (TYPES[endOf(name ?? '')] ?? 'application/octet-stream') : undefined);
  const shownName = name === undefined ? '' : `; filename="${escapeName(name)}"`;
  return `${disposition}${shownName}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n${content}`;
}

const escapeName = (name: Bytes): Bytes =>
  name.replace(/["\r\n]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

const endOf = (name: Bytes): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

function readFile({ sys }: FilterContext, path: Bytes): Bytes {
  if (path === '-') throw new FormFault(2, `curl: option -F: standard input is not simulated here\n${TRY}\n`);
  try {
    const descriptor = sys.open(path, { read: true });
    let bytes = '';
    for (let chunk = sys.read(descriptor); chunk !== undefined && chunk !== ''; chunk = sys.read(descriptor))
      bytes += chunk;
    sys.close(descriptor);
    return bytes;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new FormFault(26, 'curl: (26) Failed to open/read local data from file/application\n');
  }
}
