import type { LRUCache } from 'lru-cache';
import { growingCache } from '../../machinery/cache.js';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../../api/admissionregistration_v1.js';
import type { Kind } from '../../machinery/kind.js';
import type { AdmissionRequest } from '../../runtime/admission.js';
import { matchesNamespaceSelector, matchesObjectSelector, matchVersion } from '../policy/match.js';
import { ExpressionError, PolicyEvaluation } from '../policy/evaluation.js';
import { refuse } from '../refuse.js';
import { objectInVersion } from './admission-review.js';

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

/** A mutating or validating webhook, with an id that is unique in the cluster. */
export interface Hook {
  readonly id: string;
  readonly webhook: ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;
}

/** Keyed by the list of configurations, which the state returns as the same value until one of them changes. */
const hooksByResource = new WeakMap<readonly Configuration[], LRUCache<string, readonly Hook[]>>();
const MAX_RESOURCES = 1_000;

/** The webhooks whose rules may match the request's resource, in the order of their configurations' names. */
export function hooksFor(configurations: readonly Configuration[], request: AdmissionRequest): readonly Hook[] {
  let known = hooksByResource.get(configurations);
  if (!known) hooksByResource.set(configurations, (known = growingCache(MAX_RESOURCES)));
  const { group, version, plural } = request.requestKind;
  const key = `${group}/${version}/${plural}`;
  let hooks = known.get(key);
  if (!hooks) {
    known.set(key, (hooks = configurations.flatMap(hooksOf).filter((hook) => mayConcern(hook, request.versions))));
  }
  return hooks;
}

const hooksOf = ({ metadata, webhooks }: Configuration): Hook[] =>
  (webhooks ?? []).map((webhook, i) => ({ id: `${metadata.name}/${webhook.name}/${i}`, webhook }));

const mayConcern = ({ webhook }: Hook, versions: readonly Kind[]): boolean =>
  webhook.rules?.some(({ apiGroups = [], resources = [] }) =>
    versions.some(
      ({ group, plural }) =>
        [group, '*'].some((g) => apiGroups.includes(g)) &&
        resources.some((r) => [plural, '*'].includes(r.split('/', 1)[0]!)),
    ),
  ) ?? false;

/**
 * The version in which a webhook is sent the request; undefined when it does not match. Throws 403 when a match
 * condition cannot be evaluated and the failurePolicy is Fail. Models apiserver/pkg/admission/plugin/webhook/generic
 * ShouldCallHook.
 */
export function matchHook({ webhook }: Hook, request: AdmissionRequest): Kind | undefined {
  if (
    !matchesNamespaceSelector(webhook.namespaceSelector, request) ||
    !matchesObjectSelector(webhook.objectSelector, request)
  )
    return undefined;
  const kind = matchVersion(webhook.rules ?? [], webhook.matchPolicy, request);
  return kind && matchesConditions({ webhook }, request, kind) ? kind : undefined;
}

function matchesConditions({ webhook }: Pick<Hook, 'webhook'>, request: AdmissionRequest, kind: Kind): boolean {
  if (!webhook.matchConditions?.length) return true;
  try {
    return new PolicyEvaluation(
      request,
      webhook,
      null,
      request.bodyType ? request.object : objectInVersion(kind, request.object),
    ).matchesConditions();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (webhook.failurePolicy === 'Ignore') return false;
    throw refuse(request, error.message);
  }
}
