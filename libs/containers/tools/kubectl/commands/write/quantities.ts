import { KubectlFailure } from '../../session/failure.js';

/** `cpu=200m,memory=512Mi`; undefined for ''. Throws KubectlFailure. */
export function parseQuantities(text: string): Record<string, string> | undefined {
  if (text === '') return undefined;
  const found: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [name = '', value, more] = part.split('=');
    if (value === undefined || more !== undefined)
      throw new KubectlFailure(`invalid argument syntax ${part}, expected <resource>=<value>`);
    if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/.test(value))
      throw new KubectlFailure(
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      );
    found[name] = value;
  }
  return found;
}
