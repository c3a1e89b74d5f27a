import { ApiError, isLabelValue, isQualifiedName, selectors } from '@terrarium/engine';
import { z } from 'zod';
import { Refusal } from '../refusal.js';

const MAX_LABELS = 32;
const MAX_SELECTOR_CHARACTERS = 2_000;

const key = z.string().superRefine(addIssues(isQualifiedName));
const value = z.string().superRefine(addIssues(isLabelValue));

const hasAllowedCount = (labels: object): boolean => Object.keys(labels).length <= MAX_LABELS;
const TOO_MANY = { error: `must not be more than ${MAX_LABELS} labels` };

/** Labels in Kubernetes' syntax. */
export const Labels = z.record(key, value).refine(hasAllowedCount, TOO_MANY);

/** A merge patch of labels: null removes one. */
export const LabelsPatch = z.record(key, value.nullable()).refine(hasAllowedCount, TOO_MANY);

export type Labels = z.infer<typeof Labels>;
export type LabelsPatch = z.infer<typeof LabelsPatch>;

function addIssues(validate: (text: string) => string[]) {
  return (text: string, context: z.RefinementCtx): void => {
    for (const message of validate(text)) context.addIssue({ code: 'custom', message });
  };
}

/** The labels after a merge patch. Throws Refusal 400 when there are too many. */
export function patchLabels(labels: Labels, patch: LabelsPatch): Labels {
  const patched = Object.entries({ ...labels, ...patch }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  if (patched.length > MAX_LABELS) throw new Refusal(400, `labels: ${TOO_MANY.error}`);
  return Object.fromEntries(patched);
}

/** A label selector in two parts: pairs that the store looks up in its index, and a test of all requirements. */
export interface ParsedSelector {
  readonly pairs: Labels;
  matches(labels: Labels): boolean;
}

/** Models labels.Parse: 'a=b,c!=d,e in (x,y),!f'. Throws Refusal 400 in upstream's words. */
export function parseLabelSelector(text: string): ParsedSelector {
  if (text.length > MAX_SELECTOR_CHARACTERS)
    throw new Refusal(400, `labelSelector: must not be longer than ${MAX_SELECTOR_CHARACTERS} characters`);
  const requirements = parseRequirements(text);
  const pairs = requirements.flatMap(({ key, operator, values }) =>
    operator === 'in' && values.length === 1 ? [[key, values[0]!]] : [],
  );
  return {
    pairs: Object.fromEntries(pairs) as Labels,
    matches: (labels) => selectors.matchesRequirements(requirements, labels),
  };
}

function parseRequirements(text: string): selectors.Requirement[] {
  try {
    return selectors.parseLabelSelector(text);
  } catch (error) {
    if (error instanceof ApiError) throw new Refusal(400, `labelSelector: ${error.message}`);
    throw error;
  }
}
