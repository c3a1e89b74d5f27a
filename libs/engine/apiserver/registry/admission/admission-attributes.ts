import type { Client, User } from '../../../machinery/client.js';
import type { CallOutside, Dial, WaitForComponent } from '../../../machinery/requests/http.js';
import type { Kind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { Random } from '../../../machinery/random.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { AdmissionRequest, ObjectType, ObjectView } from '../../../runtime/admission.js';
import type { Write } from '../write.js';
import type { SubresourceBody } from '../writer.js';

const NO_OPTIONS = Object.freeze({});

/** One write, as plug-ins see it. Models apiserver/pkg/admission/attributes.go. */
export class AdmissionAttributes implements AdmissionRequest {
  round: 0 | 1 = 0;
  /** A plug-in asks for a second round of mutation. */
  needsReinvocation = false;
  private stateOfPlugins: Map<string, unknown> | undefined = undefined;
  private clientOfWrite: Client | undefined = undefined;

  constructor(
    private readonly write: Write,
    readonly object: KubeObject | undefined,
    readonly old: KubeObject | undefined,
    private readonly body?: SubresourceBody,
  ) {}

  get operation(): AdmissionRequest['operation'] {
    return this.write.operation;
  }
  get kind(): Kind {
    return this.write.kind;
  }
  get requestKind(): Kind {
    return this.write.requestKind;
  }
  get versions(): readonly Kind[] {
    const { writer, kind } = this.write;
    return writer.registry.versionsOf(writer.state.resourceOf(kind));
  }
  get subresource(): string {
    return this.write.subresource;
  }
  get bodyType(): ObjectType | undefined {
    return this.body?.type;
  }
  get view(): ObjectView | undefined {
    return this.write.view;
  }
  get namespace(): string {
    if (this.body) return this.body.key.namespace;
    return (this.object ?? this.old)!.metadata.namespace ?? '';
  }
  get name(): string {
    if (this.body) return this.body.key.name;
    return (this.object ?? this.old)!.metadata.name ?? '';
  }
  get user(): User {
    return this.write.options.requester.user;
  }
  get client(): Client {
    return (this.clientOfWrite ??= this.write.writer.client(this.write.options));
  }
  get operationOptions(): Readonly<Record<string, unknown>> {
    const { origin } = this.write.options;
    return origin.type === 'request' ? origin.options : NO_OPTIONS;
  }
  get pluginState(): Map<string, unknown> {
    return (this.stateOfPlugins ??= new Map());
  }
  get now(): Millis {
    return this.write.context.now;
  }
  get random(): Random {
    return this.write.context.random;
  }
  get dial(): Dial | undefined {
    return this.write.writer.dial;
  }
  get outside(): CallOutside | undefined {
    return this.write.writer.outside;
  }
  get waitForComponent(): WaitForComponent | undefined {
    return this.write.writer.waitForComponent;
  }
  get fromOutside(): boolean {
    return this.write.options.origin.type === 'request';
  }
  get dryRun(): boolean {
    return this.write.options.dryRun;
  }
  warn(text: string): void {
    const { origin } = this.write.options;
    if (origin.type === 'request') origin.warn(text);
  }
  requireReinvocation(): void {
    this.needsReinvocation = true;
  }
  revalidate(): void {
    this.write.changedByAdmission = true;
  }
}
