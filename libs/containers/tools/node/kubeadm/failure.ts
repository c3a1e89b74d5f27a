import { ToolFailure } from '../../framework/tool.js';

/** A command fails in kubeadm's words. */
export class KubeadmFailure extends ToolFailure {}
