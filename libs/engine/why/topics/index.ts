import type { KubeObject } from '../../machinery/meta/object.js';
import type { Topic } from '../world.js';
import { cronJobTopic, jobTopic } from './batch.js';
import { autoscalerTopic } from './autoscaler.js';
import { budgetTopic, namespaceTopic, nodeTopic, quotaTopic } from './cluster.js';
import { statedFindings } from './conditions.js';
import { daemonSetTopic } from './daemonset.js';
import { endpointsTopic, endpointSliceTopic } from './endpoints.js';
import { ingressTopic } from './ingress.js';
import { podTopic } from './pods/pod.js';
import { resourceClaimTopic } from './pods/pod-devices.js';
import { serviceTopic } from './services/service.js';
import { signingRequestTopic } from './signing-request.js';
import { webhookTopic } from './refusals/webhooks.js';
import { claimTopic, volumeTopic } from './storage.js';
import { deploymentTopic, replicaSetTopic, statefulSetTopic } from './workloads.js';

const entry = <T extends KubeObject>(topic: Topic<T>): Topic => topic as unknown as Topic;

/** By storage key. */
const topics = new Map<string, Topic>([
  ['pods', entry(podTopic)],
  ['services', entry(serviceTopic)],
  ['endpoints', entry(endpointsTopic)],
  ['endpointslices.discovery.k8s.io', entry(endpointSliceTopic)],
  ['nodes', entry(nodeTopic)],
  ['namespaces', entry(namespaceTopic)],
  ['persistentvolumeclaims', entry(claimTopic)],
  ['persistentvolumes', entry(volumeTopic)],
  ['resourceclaims.resource.k8s.io', entry(resourceClaimTopic)],
  ['replicationcontrollers', entry(replicaSetTopic)],
  ['resourcequotas', entry(quotaTopic)],
  ['deployments.apps', entry(deploymentTopic)],
  ['replicasets.apps', entry(replicaSetTopic)],
  ['statefulsets.apps', entry(statefulSetTopic)],
  ['daemonsets.apps', entry(daemonSetTopic)],
  ['jobs.batch', entry(jobTopic)],
  ['cronjobs.batch', entry(cronJobTopic)],
  ['horizontalpodautoscalers.autoscaling', entry(autoscalerTopic)],
  ['poddisruptionbudgets.policy', entry(budgetTopic)],
  ['certificatesigningrequests.certificates.k8s.io', entry(signingRequestTopic)],
  ['ingresses.networking.k8s.io', entry(ingressTopic)],
  ['mutatingwebhookconfigurations.admissionregistration.k8s.io', entry(webhookTopic)],
  ['validatingwebhookconfigurations.admissionregistration.k8s.io', entry(webhookTopic)],
]);

/** The topic of a resource; of any other, what its objects say of themselves. */
export const topicOf = (resource: string): Topic => topics.get(resource) ?? statedFindings;
