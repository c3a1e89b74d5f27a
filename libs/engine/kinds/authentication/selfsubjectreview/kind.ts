import type { SelfSubjectReview } from '../../../api/authentication_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { timestamp } from '../../../machinery/time/time.js';
import { text } from '../../columns.js';
import { userInfo } from '../userinfo.js';

/** `kubectl auth whoami`. Models pkg/registry/authentication/selfsubjectreview. */
export const kind = defineKind<SelfSubjectReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  singular: 'selfsubjectreview',
  scope: 'Cluster',
  definition: 'io.k8s.api.authentication.v1.SelfSubjectReview',
  verbs: ['create'],
  columns: [text('Username', (r) => r.status.userInfo?.username ?? '')],
  evaluate: (review, _client, { now, user }) => ({
    ...review,
    metadata: { creationTimestamp: timestamp(now) },
    status: { userInfo: userInfo(user) },
  }),
});
