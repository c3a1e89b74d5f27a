import { timestamp } from '../../../engine/machinery/time/time.js';
import type { Millis } from '../../../engine/machinery/time/time.js';
import type { Condition } from './resources.js';

/** What there is to say, before it has a time. */
export type Said = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

export const says = (type: string, status: 'True' | 'False', reason: string, message: string): Said => ({
  ...{ type, status, reason, message },
});

/** Of two conditions of one type the later one counts. Those that say what they said before keep their time. */
export function settle(
  said: readonly Said[],
  before: readonly Condition[] | undefined,
  generation: number | undefined,
  now: Millis,
): Condition[] {
  const byType = new Map<string, Said>();
  for (const one of said) {
    byType.delete(one.type);
    byType.set(one.type, one);
  }
  return [...byType.values()].map((one) => {
    const old = before?.find(({ type }) => type === one.type);
    const lastTransitionTime =
      old?.status === one.status && old.lastTransitionTime !== undefined ? old.lastTransitionTime : timestamp(now);
    return { ...one, lastTransitionTime, ...(generation === undefined ? {} : { observedGeneration: generation }) };
  });
}

const notProgrammed = (message: string): Said => says('Programmed', 'False', 'Invalid', message);

/** Of a listener; models internal/controller/state/conditions/conditions.go, and its words. */
export const listenerSays = {
  fine: [
    says('Programmed', 'True', 'Programmed', 'The Listener is programmed'),
    says('Accepted', 'True', 'Accepted', 'The Listener is accepted'),
    says('ResolvedRefs', 'True', 'ResolvedRefs', 'All references are resolved'),
    says('Conflicted', 'False', 'NoConflicts', 'No conflicts'),
  ],
  unsupportedProtocol: (message: string): Said[] => [
    says('Accepted', 'False', 'UnsupportedProtocol', message),
    notProgrammed(message),
  ],
  unsupportedValue: (message: string): Said[] => [
    says('Accepted', 'False', 'UnsupportedValue', message),
    notProgrammed(message),
  ],
  invalidKinds: (message: string): Said[] => [
    says('ResolvedRefs', 'False', 'InvalidRouteKinds', message),
    notProgrammed(message),
  ],
  invalidCertificate: (message: string, reason = 'InvalidCertificateRef'): Said[] => [
    says('Accepted', 'False', reason, message),
    says('ResolvedRefs', 'False', reason, message),
    notProgrammed(message),
  ],
  unresolved: (message: string, reason: string): Said[] => [says('ResolvedRefs', 'False', reason, message)],
  conflict: (reason: 'ProtocolConflict' | 'HostnameConflict', message: string): Said[] => [
    says('Accepted', 'False', reason, message),
    says('Conflicted', 'True', reason, message),
    says('Programmed', 'False', reason, message),
  ],
};

/** Of a route, for one parent. */
export const routeSays = {
  fine: [
    says('Accepted', 'True', 'Accepted', 'The Route is accepted'),
    says('ResolvedRefs', 'True', 'ResolvedRefs', 'All references are resolved'),
  ],
  noParent: says('Accepted', 'False', 'NoMatchingParent', 'The Listener is not found for this parent ref'),
  invalidGateway: says('Accepted', 'False', 'InvalidGateway', 'The Gateway is invalid'),
  invalidListener: says('Accepted', 'False', 'InvalidListener', 'The Listener is invalid for this parent ref'),
  notAllowed: says('Accepted', 'False', 'NotAllowedByListeners', 'The Route is not allowed by any listener'),
  noHostname: says(
    ...(['Accepted', 'False', 'NoMatchingListenerHostname'] as const),
    'The Listener hostname does not match the Route hostnames',
  ),
  ignores: (what: string): Said =>
    says('Accepted', 'True', 'UnsupportedField', `The following unsupported parameters were ignored: ${what}`),
  unresolved: (reason: string, message: string): Said => says('ResolvedRefs', 'False', reason, message),
};

/** Of a Gateway. */
export const gatewaySays = {
  fine: [
    says('Accepted', 'True', 'Accepted', 'The Gateway is accepted'),
    says('Programmed', 'True', 'Programmed', 'The Gateway is programmed'),
  ],
  someListeners: says('Accepted', 'True', 'ListenersNotValid', 'The Gateway has at least one valid listener'),
  noListeners: [
    says('Accepted', 'False', 'ListenersNotValid', 'The Gateway has no valid listeners'),
    notProgrammed('The Gateway has no valid listeners'),
  ],
  noAddress: says(
    ...(['Programmed', 'False', 'AddressNotAssigned'] as const),
    'Dynamically assigned addresses for the Gateway addresses field are not supported, value must be specified',
  ),
  badAddress: says('Programmed', 'False', 'AddressNotUsable', 'Invalid IP address'),
  badAddressType: (message: string): Said => says('Accepted', 'False', 'UnsupportedAddress', message),
};

/** Of a GatewayClass. */
export const classSays = {
  fine: [
    says('Accepted', 'True', 'Accepted', 'The GatewayClass is accepted'),
    says('SupportedVersion', 'True', 'SupportedVersion', 'The Gateway API CRD versions are supported'),
  ],
  conflict: says(
    ...(['Accepted', 'False', 'GatewayClassConflict'] as const),
    'The resource is ignored due to a conflicting GatewayClass resource',
  ),
  resolved: says('ResolvedRefs', 'True', 'ResolvedRefs', 'The ParametersRef resource is resolved'),
  notFound: says('ResolvedRefs', 'False', 'ParamsRefNotFound', 'The ParametersRef resource could not be found'),
};
