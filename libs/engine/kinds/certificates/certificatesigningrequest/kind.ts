import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '../../../api/certificates_v1.js';
import { defineKind, type Kind } from '../../../machinery/kind.js';
import { invalid } from '../../../machinery/meta/status.js';
import { humanDuration, SECOND, timestamp, type Millis } from '../../../machinery/time/time.js';
import { ageColumn, nameColumn, NONE, text } from '../../columns.js';
import { validateRequest, validateStatusUpdate } from './validation.js';

const APPROVED_OR_DENIED = ['Approved', 'Denied'];

/** Models pkg/registry/certificates/certificates. */
export const kind: Kind<CertificateSigningRequest> = defineKind<CertificateSigningRequest>({
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  singular: 'certificatesigningrequest',
  shortNames: ['csr'],
  scope: 'Cluster',
  definition: 'io.k8s.api.certificates.v1.CertificateSigningRequest',
  nameRule: 'pathSegment',
  generation: false,
  subresources: {
    status: true,
    actions: {
      approval: {
        verbs: ['get', 'update', 'patch'],
        handle: ({ verb, object, body, store, context }) => {
          if (verb === 'get') return object;
          const next = withApproval(object, body as CertificateSigningRequest, context.now);
          const errors = validateStatusUpdate(next, object, 'approval');
          if (errors.length) throw invalid(kind, object.metadata.name ?? '', errors);
          return store(next);
        },
      },
    },
  },
  fieldSelectors: { 'spec.signerName': (o) => o.spec.signerName },
  columns: [
    nameColumn,
    ageColumn,
    text('SignerName', (r) => r.spec.signerName || NONE),
    text('Requestor', (r) => r.spec.username ?? ''),
    text('RequestedDuration', (r) =>
      r.spec.expirationSeconds === undefined ? NONE : humanDuration(r.spec.expirationSeconds * SECOND),
    ),
    text('Condition', conditionText),
  ],
  prepareForCreate(draft, { user }) {
    const { username: _u, uid: _i, groups: _g, extra: _e, ...spec } = draft.spec;
    const extra = Object.fromEntries(Object.entries(user.extra ?? {}).map(([key, values]) => [key, [...values]]));
    draft.spec = {
      ...spec,
      username: user.name,
      ...(user.uid ? { uid: user.uid } : {}),
      groups: [...user.groups],
      ...(user.extra ? { extra } : {}),
    };
    draft.status = {};
  },
  prepareForUpdate(draft, old) {
    draft.spec = old.spec;
    draft.status = old.status;
  },
  prepareForStatusUpdate(draft, old, { now }) {
    draft.spec = old.spec;
    if (draft.status.conditions)
      draft.status = {
        ...draft.status,
        conditions: stampConditions(
          withDecisions(draft.status.conditions, old.status.conditions),
          old.status.conditions,
          now,
        ),
      };
  },
  validate: validateRequest,
  validateStatusUpdate: (next, old) => validateStatusUpdate(next, old, 'status'),
});

/** Only the conditions may change through the approval subresource. */
const withApproval = (
  object: CertificateSigningRequest,
  body: CertificateSigningRequest,
  now: Millis,
): CertificateSigningRequest => ({
  ...body,
  spec: object.spec,
  status: {
    ...object.status,
    conditions: stampConditions(body.status?.conditions ?? [], object.status.conditions, now),
  },
});

/**
 * Decisions stay as they were, unless there are more or fewer of them, which is then refused. Models
 * preserveConditionInstances.
 */
function withDecisions(
  conditions: readonly CertificateSigningRequestCondition[],
  old: readonly CertificateSigningRequestCondition[] = [],
): CertificateSigningRequestCondition[] {
  const kept = APPROVED_OR_DENIED.filter(
    (type) => conditions.filter((c) => c.type === type).length === old.filter((c) => c.type === type).length,
  );
  return conditions.map((condition) =>
    kept.includes(condition.type) ? (old.find((c) => c.type === condition.type) ?? condition) : condition,
  );
}

/** Fills the times of new and changed conditions. Models populateConditionTimestamps. */
function stampConditions(
  conditions: readonly CertificateSigningRequestCondition[],
  old: readonly CertificateSigningRequestCondition[] | undefined,
  now: Millis,
): CertificateSigningRequestCondition[] {
  return conditions.map((condition) => {
    const before = old?.find((c) => c.type === condition.type);
    const transition = before?.status === condition.status ? before.lastTransitionTime : undefined;
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime ?? timestamp(now),
      lastTransitionTime: condition.lastTransitionTime ?? transition ?? timestamp(now),
    };
  });
}

/** 'Pending', 'Approved,Issued', 'Denied,Failed'. Models printers' extractCSRStatus. */
function conditionText({ status }: CertificateSigningRequest): string {
  const has = (type: string): boolean => status.conditions?.some((c) => c.type === type) ?? false;
  const decision = [...APPROVED_OR_DENIED].reverse().find(has) ?? 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${status.certificate ? ',Issued' : ''}`;
}
