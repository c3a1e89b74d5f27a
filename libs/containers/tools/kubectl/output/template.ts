import { fromArray, textOf } from '../../../../engine/kernel/bytes.js';
import { decodeBase64, findIllegalByte } from '../../../../engine/machinery/text/base64.js';
import { CallFailure, TemplateRunFailure, TemplateSyntaxFailure } from '../../go-template/failures.js';
import { ARITY, FUNCTIONS, type TemplateFunction } from '../../go-template/functions.js';
import { Templates } from '../../go-template/templates.js';
import { intOf, isMap, isNil, typeName, withInts } from '../../go-template/values.js';
import { KubectlFailure } from '../session/failure.js';

/** A failure while a template runs: the output before it stands. */
export class TemplateFailure extends KubectlFailure {
  constructor(
    message: string,
    readonly output: string,
  ) {
    super(message);
  }
}

/** What kubectl adds to text/template. */
const ADDED: Readonly<Record<string, TemplateFunction>> = {
  exists: ([value, ...keys]) => exists(value, keys),
  base64decode: ([value]) => decode(value),
};

/** What `-o go-template` prints of an object. Throws KubectlFailure, TemplateFailure. */
export function runGoTemplate(text: string, value: unknown, allowMissing = true): string {
  const templates = new Templates({
    functions: { ...FUNCTIONS, ...ADDED },
    arity: { ...ARITY, base64decode: [1, 1], exists: [1, Infinity] },
    missing: allowMissing ? 'nothing' : 'refused',
  });
  try {
    templates.add('output', text);
    return templates.run('output', withInts(value));
  } catch (error) {
    if (error instanceof TemplateSyntaxFailure)
      throw new KubectlFailure(`error parsing template ${text}, ${error.message}`);
    if (error instanceof TemplateRunFailure) throw new TemplateFailure(error.message, error.output);
    throw error;
  }
}

/** Whether `index` would find something. Models k8s.io/cli-runtime template.go exists. */
function exists(value: unknown, keys: readonly unknown[]): boolean {
  let found = value;
  for (const key of keys) {
    const at = intOf(key) ?? key;
    if (Array.isArray(found) && typeof at === 'number' && at >= 0 && at < found.length) found = found[at];
    else if (isMap(found) && typeof at === 'string' && Object.hasOwn(found, at)) found = found[at];
    else return false;
  }
  return !isNil(found);
}

function decode(value: unknown): string {
  if (typeof value !== 'string') throw new CallFailure(`wrong type for value; expected string; got ${typeName(value)}`);
  const illegal = findIllegalByte(value);
  const at = illegal >= 0 ? illegal : value.length % 4 === 0 ? -1 : value.length - (value.length % 4);
  if (at >= 0) throw new CallFailure(`base64 decode failed: illegal base64 data at input byte ${at}`);
  return textOf(fromArray(decodeBase64(value)));
}
