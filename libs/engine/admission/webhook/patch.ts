import { isObject, type Json } from '../../machinery/meta/object.js';
import { applyJsonPatch } from '../../machinery/patch/patch.js';
import { ApiError, internalError } from '../../machinery/meta/status.js';

/**
 * Applies a webhook's JSON patch. Throws 500 with the message of evanphx/json-patch, which upstream applies it with.
 */
export function applyWebhookPatch(object: Json, operations: Json[]): Json {
  try {
    return applyJsonPatch(object, operations);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw internalError(findFailingOperation(object, operations) ?? error.message);
  }
}

function findFailingOperation(object: Json, operations: readonly Json[]): string | undefined {
  let current = object;
  for (const operation of operations) {
    try {
      current = applyJsonPatch(current, [operation]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return describeFailure(current, operation);
    }
  }
  return undefined;
}

const MISSING = 'missing value';

/** The message of evanphx/json-patch for an operation that does not apply to the object. */
function describeFailure(object: Json, operation: Json): string | undefined {
  if (!isObject(operation)) return undefined;
  const { op, path, from } = operation;
  const [parent, key] = splitPointer(String(path ?? ''));
  const hasParent = valueAt(object, parent) !== undefined;
  switch (op) {
    case 'add':
      return hasParent
        ? `error in add for path: '${path}': ${invalidIndex(key)}`
        : `add operation does not apply: doc is missing path: "${path}": ${MISSING}`;
    case 'remove':
      return hasParent
        ? `error in remove for path: '${path}': ${Array.isArray(valueAt(object, parent)) ? invalidIndex(key) : `Unable to remove nonexistent key: ${key}: ${MISSING}`}`
        : `remove operation does not apply: doc is missing path: "${path}": ${MISSING}`;
    case 'replace':
      return `replace operation does not apply: doc is missing ${hasParent ? 'key' : 'path'}: ${path}: ${MISSING}`;
    case 'test':
      return `testing value ${path} failed: test failed`;
    case 'move':
    case 'copy':
      return `${op} operation does not apply: doc is missing from path: ${from}: ${MISSING}`;
    default:
      return `Unexpected kind: ${op}`;
  }
}

const invalidIndex = (key: string): string => `Unable to access invalid index: ${key}: invalid index referenced`;

function splitPointer(path: string): [string[], string] {
  const steps = path
    .split('/')
    .slice(1)
    .map((s) => s.replaceAll('~1', '/').replaceAll('~0', '~'));
  return [steps.slice(0, -1), steps.at(-1) ?? ''];
}

function valueAt(object: Json, steps: readonly string[]): Json | undefined {
  let value: Json | undefined = object;
  for (const step of steps)
    value = Array.isArray(value) ? value[Number(step)] : isObject(value) ? value[step] : undefined;
  return value;
}
