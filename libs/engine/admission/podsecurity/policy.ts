import { invalidValue, Path, type FieldError } from '../../machinery/meta/field.js';
import { BASELINE_CHECKS } from './baseline.js';
import type { Check, PodLike } from './check.js';
import { RESTRICTED_CHECKS } from './restricted.js';

const PREFIX = 'pod-security.kubernetes.io/';
const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
const CHECKS: readonly Check[] = [...BASELINE_CHECKS, ...RESTRICTED_CHECKS];
/** The minor version of 'latest'. */
const LATEST = 36;

export type Level = (typeof LEVELS)[number];
export interface LevelVersion {
  readonly level: Level;
  /** 'latest' or 'v1.30'. */
  readonly version: string;
}
export interface Policy {
  readonly enforce: LevelVersion;
  readonly warn: LevelVersion;
}
type Labels = Readonly<Record<string, string>>;

export const textOf = ({ level, version }: LevelVersion): string => `${level}:${version}`;
export const isStricter = (a: Level, b: Level): boolean => LEVELS.indexOf(a) > LEVELS.indexOf(b);

/**
 * The policy that a namespace's labels name; undefined without labels of enforce or warn. Models
 * pod-security-admission/api PolicyToEvaluate.
 */
export function policyToEvaluate(labels: Labels | undefined): Policy | undefined {
  const [enforcing, warning] = [labels?.[`${PREFIX}enforce`], labels?.[`${PREFIX}warn`]];
  if (enforcing === undefined && warning === undefined) return undefined;
  const enforce = { level: levelOf(enforcing, 'restricted'), version: versionOf(labels?.[`${PREFIX}enforce-version`]) };
  // Without a warn label, workloads warn at the enforced level.
  if (warning === undefined)
    return {
      enforce,
      warn: { level: enforce.level, version: versionOf(labels?.[`${PREFIX}warn-version`] ?? enforce.version) },
    };
  return {
    enforce,
    warn: { level: levelOf(warning, 'privileged'), version: versionOf(labels?.[`${PREFIX}warn-version`]) },
  };
}

const levelOf = (text: string | undefined, otherwise: Level): Level =>
  text === undefined ? 'privileged' : (LEVELS.find((l) => l === text) ?? otherwise);
const versionOf = (text: string | undefined): string => (text !== undefined && VERSION.test(text) ? text : 'latest');
const VERSION = /^(latest|v1\.(0|[1-9]\d{0,3}))$/;

/** The errors of the labels' levels and versions. Models PolicyToEvaluate's errors. */
export function validateLabels(labels: Labels | undefined): FieldError[] {
  const path = Path.of('metadata', 'labels');
  return ['enforce', 'audit', 'warn'].flatMap((mode) => {
    const [level, version] = [labels?.[PREFIX + mode], labels?.[`${PREFIX}${mode}-version`]];
    return [
      ...(level !== undefined && !LEVELS.some((l) => l === level)
        ? [invalidValue(path.key(PREFIX + mode), level, `must be one of ${LEVELS.join(', ')}`)]
        : []),
      ...(version !== undefined && !VERSION.test(version)
        ? [invalidValue(path.key(`${PREFIX}${mode}-version`), version, 'must be "latest" or "v1.x"')]
        : []),
    ];
  });
}

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** The checks of a level that the pod fails, in upstream's order. Models policy/registry.go EvaluatePod. */
export function evaluatePod({ level, version }: LevelVersion, pod: PodLike): Violation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? LATEST : Number(version.slice('v1.'.length));
  const violations: Violation[] = [];
  for (const check of CHECKS) {
    if (check.since > minor || (level === 'baseline' ? check.level !== 'baseline' : check.overridden)) continue;
    const detail = check.detail(pod, minor);
    if (detail) violations.push({ reason: check.reason, detail });
  }
  return violations;
}

export const detailText = (violations: readonly Violation[]): string =>
  violations.map((v) => `${v.reason} (${v.detail})`).join(', ');
export const reasonText = (violations: readonly Violation[]): string => violations.map((v) => v.reason).join(', ');
