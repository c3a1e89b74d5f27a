import type { Client, Start } from '@terrarium/engine';
import type { LoopTools } from '../../../engine/node/cri/image.js';
import { tendChallenges } from './acme/challenges.js';
import { tendOrders } from './acme/orders.js';
import { tendCertificates } from './certificates.js';
import { tendIngresses } from './ingress-shim.js';
import { tendIssuers } from './issuers.js';
import { tendRequests } from './requests.js';
import { workOf } from './work.js';

/** One change leads to the next: a Certificate of ACME needs about ten. */
const MAX_ROUNDS = 20;

/** cert-manager's controllers, each in turn, until there is nothing more to do. False: something is waited for. */
export function tendCertManager(api: Client, start: Start, tools: LoopTools): boolean {
  const work = workOf(api, start, tools);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { revision } = api;
    tendIssuers(work);
    tendIngresses(work);
    tendCertificates(work);
    tendRequests(work);
    tendOrders(work);
    const isSettled = tendChallenges(work);
    if (api.revision === revision) return isSettled;
  }
  return false;
}
