const GO_KINDS: Readonly<Record<string, string>> = { number: 'int64', array: 'slice', object: 'map' };

/**
 * A strategic patch's result is converted, not decoded: the same mismatch in the converter's words. Other faults stay.
 * Models apimachinery/pkg/runtime/converter.go fromUnstructured.
 */
export function conversionError(message: string): string {
  const mismatch = /^json: cannot unmarshal (\S+)(?:\s.*)? into Go (?:struct field \S+|value) of type (.+)$/.exec(
    message,
  );
  if (!mismatch) return message;
  const [, json = '', type = ''] = mismatch;
  const given = GO_KINDS[json] ?? json;
  if (/^(u?int\d*|bool|string|float\d+)$/.test(type)) return `unrecognized type: ${type}`;
  if (type.startsWith('[]')) return `cannot restore slice from ${given}`;
  if (type.startsWith('map[')) return `cannot restore map from ${given}`;
  return `cannot restore struct from: ${given}`;
}
