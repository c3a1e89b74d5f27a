/** Policies are what somebody has applied: nothing of them is taken for granted. */
export type Fields = Readonly<Record<string, unknown>>;

/** Items of one list. */
const MAX_ITEMS = 200;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((one): one is string => typeof one === 'string');
/** Whether a list is there, be it empty. */
export const isThere = (value: unknown): boolean => Array.isArray(value);
