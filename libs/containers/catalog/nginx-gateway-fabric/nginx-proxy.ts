import type { Reader } from '@terrarium/engine';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';
import type { Gateway, GatewayClass, ObjectReference } from '../../servers/gateway/resources.js';

/** Of NginxProxy, what decides how an NGINX is started and reached. */
export interface NginxProxySpec {
  readonly kubernetes?: {
    readonly deployment?: {
      readonly replicas?: number;
      readonly container?: {
        readonly image?: { readonly repository?: string; readonly tag?: string; readonly pullPolicy?: string };
        readonly resources?: object;
      };
    };
    readonly service?: {
      readonly type?: string;
      readonly externalTrafficPolicy?: string;
      readonly loadBalancerIP?: string;
      readonly loadBalancerClass?: string;
      readonly nodePorts?: readonly { readonly port: number; readonly listenerPort: number }[];
    };
  };
}
interface NginxProxy extends KubeObject {
  readonly spec?: NginxProxySpec;
}

export const GROUP = 'gateway.nginx.org';
const NginxProxies: Resource<NginxProxy> = {
  ...{ group: GROUP, version: 'v1alpha2', kind: 'NginxProxy', plural: 'nginxproxies', scope: 'Namespaced' },
};

/** The object that parametersRef names; undefined: it names none, or none of this kind. */
export const proxyOf = (read: Reader, ref: ObjectReference | undefined, namespace: string): NginxProxy | undefined =>
  ref?.group === GROUP && ref.kind === 'NginxProxy'
    ? read.get(NginxProxies, { namespace: ref.namespace ?? namespace, name: ref.name })
    : undefined;

/** What a Gateway's own settings say comes before those of its class. */
export function settingsOf(read: Reader, owner: GatewayClass | undefined, gateway: Gateway): NginxProxySpec {
  const namespace = gateway.metadata.namespace ?? '';
  const ofClass = proxyOf(read, owner?.spec.parametersRef, namespace)?.spec?.kubernetes ?? {};
  const own = proxyOf(read, gateway.spec.infrastructure?.parametersRef, namespace)?.spec?.kubernetes ?? {};
  return {
    kubernetes: {
      deployment: { ...ofClass.deployment, ...own.deployment },
      service: { ...ofClass.service, ...own.service },
    },
  };
}
