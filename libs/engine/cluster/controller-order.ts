import { controllers } from '../controllers/index.generated.js';
import { AssertionError } from '../machinery/assert.js';
import { checkController, type Checks } from '../checks/index.js';
import type { ImageCatalog } from '../node/cri/image.js';
import type { Machines } from '../node/cri/machines.js';
import { nodeControllers, readNodeFile } from '../node/index.js';
import { clusterBootstrap } from './bootstrap/cluster-bootstrap.js';
import type { Controller } from '../runtime/controller.js';
import { otherSchedulers, schedulerController } from '../scheduler/index.js';

/**
 * The names of all controllers, in the order in which each round of the Loop runs them. A controller sees in the same
 * round what those above it have written, so that most causes stand above their effects. The order is part of a
 * cluster's behaviour: it decides revisions, generated names and the order of events.
 * Models cmd/kube-controller-manager/app/controllermanager.go NewControllerDescriptors.
 */
export const CONTROLLER_ORDER: readonly string[] = [
  // Custom kinds are served before anything else looks for their objects.
  'crdnaming',

  // Faults begin and end before the components of this round do what they do.
  'chaosmesh',
  'litmus',
  'scenario',
  'fault',

  // A component that is switched off no longer answers, and neither does an API whose server is gone.
  'componentstatus',
  'apiservice',

  // A namespace has its service account, tokens and root certificate before workloads create pods in it.
  'rootca',
  'serviceaccount',
  'serviceaccounttoken',

  // Policies and roles take effect before the writes of this round that they judge.
  'clusterroleaggregation',
  'validatingadmissionpolicystatus',

  // A bootstrap token that has expired signs nothing.
  'tokencleaner',
  'bootstrapsigner',

  // A CertificateSigningRequest is approved, then signed, then removed. Nodes' conditions become taints, taints evict
  // pods, and podgc reads nodelifecycle's event to learn since when a node has been gone.
  'csrapproving',
  'nodelifecycle',
  'csrsigning',
  'csrcleaner',
  'tainteviction',
  'podgc',

  // Workloads: Deployments and autoscalers write the replica counts that the controllers of pods then act on.
  'deployment',
  'horizontalpodautoscaler',
  'cronjob',
  'daemonset',
  'job',
  'kubernetesservice',
  'replicaset',
  'replicationcontroller',
  'statefulset',
  'ttlafterfinished',

  // Cluster IPs have their objects before a range of them is judged.
  'ipaddress',
  'servicecidr',

  // Volumes: pods have the claims of their ephemeral ones before claims are bound, and claims are bound before the
  // finalizers that protect them are reviewed.
  'ephemeralvolume',
  'persistentvolume',
  'volumeexpand',
  'pvcprotection',
  'pvprotection',

  // Pods have the claims of their templates before who has a claim is reviewed.
  'podresourceclaim',
  'resourceclaim',

  // Summaries of pods: budgets, endpoints and quotas count what the workloads above have created.
  'disruption',
  'endpoints',
  'endpointslice',
  'endpointslicemirroring',

  // Load balancers have addresses once their Services are what they will be in this round.
  'servicelb',
  'resourcequota',

  // Deletion: definitions and namespaces empty themselves before owners' dependents are collected.
  'crdfinalizer',
  'namespace',
  'garbagecollector',

  // Pods are placed when all of this round's pods exist, and only then run by their nodes.
  'scheduler',
  'other-schedulers',
  'node-status',
  'node-schedulable',
  'node-shells',
  'node-host',
  'kubelet',
  'node-sandboxes',
  'eviction',
  'node-shutdown',
  'proxy',
  'volume-files',
  'expand-volume',

  // Events expire when every component has recorded its own.
  'eventttl',

  // What was to be done by now is looked at when it is done.
  'check',
];

/** Puts a cluster's controllers in order. Throws AssertionError unless they are exactly those of `order`. */
export function orderControllers(
  controllers: readonly Controller[],
  order: readonly string[] = CONTROLLER_ORDER,
): Controller[] {
  const byName = new Map(controllers.map((controller) => [controller.name, controller]));
  if (byName.size !== controllers.length) throw new AssertionError('two controllers have the same name');
  const ordered = order.map((name) => {
    const controller = byName.get(name);
    if (!controller) throw new AssertionError(`controller order lists ${name}, which does not exist`);
    byName.delete(name);
    return controller;
  });
  for (const name of byName.keys()) throw new AssertionError(`controller ${name} is missing in the controller order`);
  return ordered;
}

/** All controllers of a cluster whose containers run these images, in the order of CONTROLLER_ORDER. */
export const newControllers = (
  images: ImageCatalog,
  machines?: Machines,
  checks: () => Checks | undefined = () => undefined,
): Controller[] =>
  orderControllers([
    ...controllers,
    schedulerController,
    otherSchedulers(readNodeFile),
    ...nodeControllers(images, machines, clusterBootstrap),
    checkController(checks),
  ]);
