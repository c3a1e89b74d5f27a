/** What the form of a class holds: text as it was typed. */
export interface ClassDraft {
  /** One a line, or by commas; empty: `count` of them, numbered. */
  readonly names: string;
  readonly count: string;
  readonly ttl: string;
}

export const EMPTY_CLASS: ClassDraft = { names: '', count: '1', ttl: '' };

export type ClassFaults = Partial<Record<keyof ClassDraft, 'names' | 'number' | 'ttl'>>;

const MAX_LEARNERS = 200;
const MAX_NAME = 40;
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const TTL = /^(\d+(\.\d+)?(ms|s|m|h|d))+$/;

export const namesOf = ({ names }: Pick<ClassDraft, 'names'>): string[] => names.split(/[\s,;]+/).filter(Boolean);

/** Fields that are wrong; the service knows the rest. */
export function findClassFaults(draft: ClassDraft): ClassFaults {
  const names = namesOf(draft);
  const areWrong =
    names.length > MAX_LEARNERS ||
    new Set(names).size < names.length ||
    names.some((name) => name.length > MAX_NAME || !NAME.test(name));
  const isCount = /^\d+$/.test(draft.count) && Number(draft.count) >= 1 && Number(draft.count) <= MAX_LEARNERS;
  return {
    ...(areWrong ? { names: 'names' } : {}),
    ...(names.length > 0 || isCount ? {} : { count: 'number' }),
    ...(draft.ttl === '' || TTL.test(draft.ttl) ? {} : { ttl: 'ttl' }),
  };
}

/** How many clusters it makes. */
export const sizeOf = (draft: ClassDraft): number => namesOf(draft).length || Number(draft.count) || 1;

/** The variables of startLearners, of a draft without faults. */
export function toLearners(draft: ClassDraft): { names?: string[]; count?: number; ttl?: string } {
  const names = namesOf(draft);
  return {
    ...(names.length > 0 ? { names } : { count: Number(draft.count) }),
    ...(draft.ttl ? { ttl: draft.ttl } : {}),
  };
}
