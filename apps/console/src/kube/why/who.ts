import { t } from '../../texts/texts.js';

const NODE = 'system:node:';
const CONTROLLER = 'system:serviceaccount:kube-system:';
const COMPONENT = /^system:(?!serviceaccount:|node:)(.+)$/;

/** An actor as people call it: the kubelet of a node, a controller, a component; a user by the user's own name. */
export function whoText(actor: string): string {
  if (actor.startsWith(NODE)) return t.common.kubeletOf(actor.slice(NODE.length));
  if (actor.startsWith(CONTROLLER)) return actor.slice(CONTROLLER.length);
  return COMPONENT.exec(actor)?.[1] ?? actor;
}
