import type { Ingress } from '../../api/networking_v1.js';
import { kind as IngressClasses } from '../../kinds/networking/ingressclass/kind.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';
import { findDefaultClass } from '../default-class.js';

const IS_DEFAULT = ['ingressclass.kubernetes.io/is-default-class'];
const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/**
 * Gives an Ingress without a class the default IngressClass. Models plugin/pkg/admission/network/defaultingressclass.
 */
export const plugin: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  resources: ['ingresses.networking.k8s.io'],
  mutate({ operation, subresource, object, client }) {
    if (operation !== 'CREATE' || subresource) return;
    const ingress = object as Ingress;
    if (ingress.spec.ingressClassName !== undefined || ingress.metadata.annotations?.[CLASS_ANNOTATION] !== undefined)
      return;
    const ingressClass = findDefaultClass(client.list(IngressClasses), IS_DEFAULT);
    if (ingressClass) ingress.spec = { ...ingress.spec, ingressClassName: ingressClass.metadata.name };
  },
};
