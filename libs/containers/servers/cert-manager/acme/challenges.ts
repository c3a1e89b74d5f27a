import { Challenges, type Challenge } from '../resources.js';
import { update, writeStatus, type Work } from '../work.js';
import { FAILED } from './request.js';
import { checkReach } from './reach.js';
import { isPresentable, present, withdraw } from './http-solver.js';

const CONTROLLER = 'challenges';
const MAX_PROCESSING = 60;
/** The first release whose finalizer has the name of the group first. */
const DOMAIN_FINALIZER = 16;

const finalizerOf = ({ minor }: Work): string =>
  minor >= DOMAIN_FINALIZER ? 'acme.cert-manager.io/finalizer' : 'finalizer.acme.cert-manager.io';
const isFinal = (state = ''): boolean => state === 'valid' || FAILED.includes(state);

/** Challenges are presented, checked and taken away. False: one waits to be reached. Models acmechallenges/sync.go. */
export function tendChallenges(work: Work): boolean {
  const all = work.api.list(Challenges);
  let processing = all.filter(({ status }) => status?.processing).length;
  let isSettled = true;
  for (const challenge of all) {
    const { state, processing: isProcessing } = challenge.status ?? {};
    if (challenge.metadata.deletionTimestamp || isFinal(state)) end(work, challenge);
    else if (isProcessing) isSettled = proceed(work, challenge) && isSettled;
    else if (processing < MAX_PROCESSING) {
      processing++;
      begin(work, challenge);
    } else isSettled = false;
  }
  return isSettled;
}

function begin(work: Work, challenge: Challenge): void {
  const finalizer = finalizerOf(work);
  const { finalizers = [] } = challenge.metadata;
  const kept = finalizers.includes(finalizer)
    ? challenge
    : update(work, Challenges, {
        ...challenge,
        metadata: { ...challenge.metadata, finalizers: [...finalizers, finalizer] },
      });
  writeStatus(work, kept, { ...kept.status, presented: false, processing: true, state: 'pending' });
  work.say(challenge, true, 'Started', 'Challenge scheduled for processing', CONTROLLER);
}

function proceed(work: Work, challenge: Challenge): boolean {
  const { spec, status } = challenge;
  if (!isPresentable(challenge)) {
    const message = 'DNS-01 and HTTP-01 by Gateways are not simulated: only solvers with http01.ingress are';
    if (status?.reason !== message) {
      work.say(challenge, false, 'PresentError', `Error presenting challenge: ${message}`, CONTROLLER);
      writeStatus(work, challenge, { ...status, reason: message });
    }
    return true;
  }
  present(work, challenge);
  if (!status?.presented) {
    const message = `Presented challenge using ${spec.type} challenge mechanism`;
    work.say(challenge, true, 'Presented', message, CONTROLLER);
  }
  const fault = checkReach(work, challenge);
  if (fault === undefined) {
    const message = `Domain "${spec.dnsName}" verified with "${spec.type}" validation`;
    work.say(challenge, true, 'DomainVerified', message, CONTROLLER);
    const reason = 'Successfully authorized domain';
    writeStatus(work, challenge, { ...status, presented: true, reason, state: 'valid' });
    return true;
  }
  const reason = `Waiting for ${spec.type} challenge propagation: ${fault}`;
  writeStatus(work, challenge, { ...status, presented: true, reason });
  return false;
}

function end(work: Work, challenge: Challenge): void {
  const { metadata, status } = challenge;
  const finalizer = finalizerOf(work);
  const { finalizers = [] } = metadata;
  if (finalizers.includes(finalizer)) {
    if (isPresentable(challenge)) withdraw(work, challenge);
    const rest = finalizers.filter((one) => one !== finalizer);
    update(work, Challenges, { ...challenge, metadata: { ...metadata, finalizers: rest } });
  } else if (!metadata.deletionTimestamp)
    writeStatus(work, challenge, { ...status, presented: false, processing: false });
}
