import type { CertificateSigningRequest } from '../../api/certificates_v1.js';
import { findingOf, type Topic } from '../world.js';

/** Those whose requests kube-controller-manager signs. */
const OWN = /^kubernetes\.io\/(?:kube-apiserver-client|kube-apiserver-client-kubelet|kubelet-serving|legacy-unknown)$/;

/** Why somebody has no certificate yet. */
export const signingRequestTopic: Topic<CertificateSigningRequest> = (world, request) => {
  const { conditions = [], certificate } = request.status ?? {};
  const { signerName, username = '' } = request.spec;
  const ended = conditions.find(({ type }) => type === 'Denied' || type === 'Failed');
  if (ended) {
    const why = [ended.reason, ended.message].filter(Boolean).join(': ');
    return [
      findingOf(
        request,
        ended.type,
        `it was ${ended.type === 'Denied' ? 'denied' : 'not signed'}${why ? `: ${why}` : ''}`,
      ),
    ];
  }
  if (certificate) return [];
  if (!conditions.some(({ type }) => type === 'Approved')) {
    const message = `nobody has approved what ${username} asks of ${signerName} (kubectl certificate approve)`;
    return [findingOf(request, 'Pending', message)];
  }
  if (!OWN.test(signerName))
    return [findingOf(request, 'NoSigner', `it is approved, and nobody signs for ${signerName} here`)];
  const isUp = world.isEnabled('kube-controller-manager', 'csrsigning');
  return [
    findingOf(
      request,
      'NotSigned',
      `it is approved, and kube-controller-manager ${isUp ? 'comes to it next' : 'does not run'}`,
    ),
  ];
};
