import { DAY, timestamp } from '../../../../engine/machinery/time/time.js';
import { encodeBase64 } from '../../../../engine/machinery/text/base64.js';
import { issuerOf } from '../issuers.js';
import { parsedRequest } from '../requests.js';
import { Challenges, Orders, type Authorization, type Challenge, type Issuer, type Order } from '../resources.js';
import { controlledBy, create, ownedBy, remove, writeStatus, type Work } from '../work.js';
import { signRequest } from '../x509.js';
import { accountOf } from './account.js';
import { computeName, FAILED } from './request.js';
import { addressOf, numberFor, refusalOf, signerOf, tokenOf } from './server.js';
import { pickSolver } from './solvers.js';

const CONTROLLER = 'orders';
const LIFETIME = 90 * DAY;

/** Orders: each name has a challenge, and what is ready is issued. Models pkg/controller/acmeorders. */
export function tendOrders(work: Work): void {
  for (const order of work.api.list(Orders)) {
    const { state = '', url } = order.status ?? {};
    if (order.metadata.deletionTimestamp || FAILED.includes(state)) continue;
    const issuer = issuerOf(work, order.spec.issuerRef, order.metadata.namespace ?? '');
    if (!issuer?.spec.acme) continue;
    if (url === undefined) placeOrder(work, order, issuer.spec.acme.server);
    else if (state === 'valid') forgetChallenges(work, order);
    else followChallenges(work, order, issuer);
  }
}

const fail = (work: Work, order: Order, state: string, reason: string): void =>
  writeStatus(work, order, { ...order.status, failureTime: timestamp(work.now), reason, state });

function placeOrder(work: Work, order: Order, server: string): void {
  const { commonName, dnsNames = [], ipAddresses = [] } = order.spec;
  const names = [...new Set([...dnsNames, ...ipAddresses, ...(commonName ? [commonName] : [])])].sort();
  const refusal = names.map(refusalOf).find((one) => one !== undefined);
  if (refusal !== undefined) return fail(work, order, 'errored', `Failed to create Order: ${refusal}`);
  const id = order.metadata.uid ?? '';
  const [account, own] = [numberFor(server), numberFor(id)];
  writeStatus(work, order, {
    authorizations: names.map((name) => authorizationOf(server, account, `${id} ${name}`, name)),
    finalizeURL: addressOf(server, 'finalize', account, own),
    state: 'pending',
    url: addressOf(server, 'order', account, own),
  });
}

function authorizationOf(server: string, account: number, id: string, name: string): Authorization {
  const wildcard = name.startsWith('*.');
  const number = numberFor(id);
  const types = wildcard ? ['dns-01'] : ['http-01', 'dns-01', 'tls-alpn-01'];
  return {
    challenges: types.map((type) => ({
      ...{ token: tokenOf(`token ${id}`), type },
      url: addressOf(server, 'chall', account, number, tokenOf(`${type} ${id}`).slice(0, 6)),
    })),
    ...{ identifier: wildcard ? name.slice(2) : name, initialState: 'pending' },
    ...{ url: addressOf(server, 'authz', account, number), wildcard },
  };
}

function followChallenges(work: Work, order: Order, issuer: Issuer): void {
  const wanted = (order.status?.authorizations ?? []).map((one) => challengeOf(work, order, issuer, one));
  if (wanted.includes(undefined)) {
    const message =
      'Failed to determine a valid solver configuration for the set of domains on the Order: no configured challenge solvers can be used for this challenge';
    if (order.status?.reason !== message) {
      work.say(order, false, 'Solver', message, CONTROLLER);
      writeStatus(work, order, { ...order.status, reason: message });
    }
    return;
  }
  const found = controlledBy(work, Challenges, order);
  for (const challenge of wanted as Challenge[]) {
    const { name } = challenge.metadata;
    if (found.some(({ metadata }) => metadata.name === name)) continue;
    create(work, Challenges, challenge);
    const message = `Created Challenge resource "${name}" for domain "${challenge.spec.dnsName}"`;
    work.say(order, true, 'Created', message, CONTROLLER);
  }
  if (found.some(({ status }) => FAILED.includes(status?.state ?? ''))) return fail(work, order, 'invalid', '');
  const isDone = wanted.every((one) =>
    found.some(({ metadata, status }) => metadata.name === one!.metadata.name && status?.state === 'valid'),
  );
  if (isDone) finalize(work, order, issuer.spec.acme!.server);
}

/** The challenge of a name; undefined: no solver is for it. */
function challengeOf(work: Work, order: Order, issuer: Issuer, one: Authorization): Challenge | undefined {
  const picked = pickSolver(issuer.spec.acme?.solvers ?? [], order, one);
  if (!picked) return undefined;
  const { solver, challenge } = picked;
  const spec = {
    ...{ authorizationURL: one.url, dnsName: one.identifier, issuerRef: order.spec.issuerRef, solver },
    ...{ token: challenge.token, type: challenge.type.toUpperCase(), url: challenge.url, wildcard: one.wildcard },
  };
  return {
    ...{ apiVersion: order.apiVersion, kind: 'Challenge' },
    metadata: {
      ...{ name: computeName(order.metadata.name ?? '', spec), namespace: order.metadata.namespace },
      ownerReferences: ownedBy(order),
    },
    spec: { ...spec, key: `${challenge.token}.${tokenOf(`thumbprint ${accountOf(work, issuer)}`)}` },
  };
}

function finalize(work: Work, order: Order, server: string): void {
  const parsed = parsedRequest(order);
  if (typeof parsed === 'string') return fail(work, order, 'errored', `Failed to finalize Order: ${parsed}`);
  const { signer, intermediate } = signerOf(server);
  const notBefore = Math.floor(work.now / 1_000) * 1_000;
  const leaf = signRequest(
    parsed,
    { usages: ['digital signature', 'key encipherment', 'server auth', 'client auth'] },
    signer,
    { notBefore, notAfter: notBefore + LIFETIME - 1_000 },
    work.seed(`serial ${order.metadata.uid}`),
  );
  const { reason: _reason, ...status } = order.status ?? {};
  writeStatus(work, order, { ...status, certificate: encodeBase64(leaf + intermediate), state: 'valid' });
  work.say(order, true, 'Complete', 'Order completed successfully', CONTROLLER);
}

function forgetChallenges(work: Work, order: Order): void {
  for (const challenge of controlledBy(work, Challenges, order)) remove(work, challenge);
}
