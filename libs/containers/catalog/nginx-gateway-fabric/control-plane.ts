import type { Client, Start } from '@terrarium/engine';
import { Deployments } from '../../../engine/kinds/index.js';
import type { LoopTools } from '../../../engine/node/cri/image.js';
import { tolerating } from '../../programs/authority.js';
import { flag } from '../../programs/task.js';
import { classSays, settle } from '../../servers/gateway/conditions.js';
import { GatewayClasses, Gateways, type Gateway, type GatewayClass } from '../../servers/gateway/resources.js';
import { addressesOf, tellGateway, tellRoutes, writeStatus } from '../../servers/gateway/status.js';
import { proxyOf, settingsOf } from './nginx-proxy.js';
import { resourceName } from './names.js';
import { provision } from './provision.js';

export const CONTROLLER_NAME = 'gateway.nginx.org/nginx-gateway-controller';
/** What `status.supportedFeatures` lists, of what is served here. */
const FEATURES = [
  ...['GRPCRoute', 'Gateway', 'GatewayHTTPListenerIsolation', 'GatewayInfrastructurePropagation', 'GatewayPort8080'],
  ...['HTTPRoute', 'HTTPRoute303RedirectStatusCode', 'HTTPRoute307RedirectStatusCode'],
  ...['HTTPRoute308RedirectStatusCode', 'HTTPRouteBackendProtocolWebSocket', 'HTTPRouteCORS'],
  ...['HTTPRouteDestinationPortMatching', 'HTTPRouteHostRewrite', 'HTTPRouteMethodMatching', 'HTTPRouteParentRefPort'],
  ...['HTTPRoutePathRedirect', 'HTTPRoutePathRewrite', 'HTTPRoutePortRedirect', 'HTTPRouteQueryParamMatching'],
  ...['HTTPRouteRequestMirror', 'HTTPRouteRequestMultipleMirrors', 'HTTPRouteRequestPercentageMirror'],
  ...['HTTPRouteResponseHeaderModification', 'HTTPRouteSchemeRedirect', 'ReferenceGrant', 'TLSRoute'],
];

/** Whether a command line is that of the releases before 2, where NGINX runs in the controller's own pod. */
export const isStatic = ({ argv }: Start): boolean => argv.includes('static-mode');

export const controllerOf = (start: Start): string => flag(start, 'gateway-ctlr-name', CONTROLLER_NAME);

/** Gateways of its class have an NGINX each, and say with their routes what became of them. */
export function tendGateways(api: Client, start: Start, { now }: LoopTools): boolean {
  const className = flag(start, 'gatewayclass', 'nginx');
  const owner = tellClasses(api, start, className, now);
  const gateways = owner
    ? api
        .list(Gateways)
        .filter(({ metadata, spec }) => spec.gatewayClassName === className && !metadata.deletionTimestamp)
    : [];
  let isSettled = true;
  for (const gateway of gateways)
    isSettled = tolerating(() => tendGateway(api, start, owner, gateway, now)) && isSettled;
  tellRoutes(api, controllerOf(start), gateways, now);
  return isSettled;
}

/** The class of its name is accepted; others that name this controller are not. */
function tellClasses(api: Client, start: Start, className: string, now: number): GatewayClass | undefined {
  for (const one of api.list(GatewayClasses)) {
    if (one.spec.controllerName !== controllerOf(start)) continue;
    const { metadata, status, spec } = one;
    const ref = spec.parametersRef;
    const resolved = ref ? [proxyOf(api, ref, '') ? classSays.resolved : classSays.notFound] : [];
    const said = metadata.name === className ? [...classSays.fine, ...resolved] : [classSays.conflict];
    writeStatus(api, GatewayClasses, one, {
      conditions: settle(said, status?.conditions, metadata.generation, now),
      supportedFeatures: FEATURES.map((name) => ({ name })),
    });
  }
  const found = api.get(GatewayClasses, { namespace: '', name: className });
  return found?.spec.controllerName === controllerOf(start) ? found : undefined;
}

/** False: its NGINX is not there yet, and until then the Gateway is not programmed. */
function tendGateway(
  api: Client,
  start: Start,
  owner: GatewayClass | undefined,
  gateway: Gateway,
  now: number,
): boolean {
  const { name = '', namespace = '' } = gateway.metadata;
  if (isStatic(start)) {
    tellGateway(api, gateway, addressesOf(api, start.pod.namespace, flag(start, 'service', 'nginx-gateway')), now);
    return true;
  }
  provision(api, start, gateway, settingsOf(api, owner, gateway));
  const own = resourceName(name, gateway.spec.gatewayClassName);
  const isReady = (api.get(Deployments, { namespace, name: own })?.status?.availableReplicas ?? 0) > 0;
  const wasProgrammed = gateway.status?.conditions?.some((one) => one.type === 'Programmed' && one.status === 'True');
  if (!isReady && !wasProgrammed) return false;
  const addresses = addressesOf(api, namespace, own);
  tellGateway(api, gateway, addresses, now);
  return addresses.length > 0;
}
