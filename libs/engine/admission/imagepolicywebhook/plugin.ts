import { apiServerOf } from '../../kinds/terrarium/noderuntime/api-server.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';
import { refuseNamed } from '../refuse.js';

/**
 * Asks a webhook whether a pod's images are allowed. Nothing outside of the cluster answers here, so that what the
 * configuration says of that decides. Models plugin/pkg/admission/imagepolicy. Left out: webhooks that answer.
 */
export const plugin: AdmissionPlugin = {
  name: 'ImagePolicyWebhook',
  isOff: true,
  resources: ['pods'],
  validate(request) {
    if (request.operation === 'DELETE' || (request.subresource !== '' && request.subresource !== 'ephemeralcontainers'))
      return;
    const policy = apiServerOf(request.client)?.imagePolicy;
    if (!policy || policy.defaultAllow) return;
    throw refuseNamed(request, `Post ${JSON.stringify(`${policy.server}?timeout=30s`)}: ${dialError(policy.server)}`);
  },
};

/** Why a server does not answer, in the words of Go's dialer. */
function dialError(server: string): string {
  const [, host = '', port = '443'] = /^https?:\/\/([^/:]+)(?::(\d+))?/.exec(server) ?? [];
  if (host === 'localhost') return `dial tcp 127.0.0.1:${port}: connect: connection refused`;
  return /^[\d.]+$/.test(host)
    ? `dial tcp ${host}:${port}: connect: connection refused`
    : `dial tcp: lookup ${host} on 172.18.0.1:53: no such host`;
}
