import type { Client, User } from '../../machinery/client.js';
import type { AskOutside, Dial } from '../../machinery/http.js';
import type { Kind } from '../../machinery/kind.js';
import type { Key, KubeObject } from '../../machinery/meta/object.js';
import type { Random } from '../../machinery/random.js';
import type { Millis } from '../../machinery/time/time.js';
import type { AdmissionRequest, ObjectType, ObjectView } from '../../runtime/admission.js';
import type { Store, WriteOptions } from './store.js';

const NOTHING_ASKED = Object.freeze({});

/** What plug-ins see of one write; its client is made only when one asks. */
export class AdmissionCall implements AdmissionRequest {
  changed = false;
  again = false;
  round: 0 | 1 = 0;
  private remembered: Map<string, unknown> | undefined;
  private made: Client | undefined;

  constructor(
    private readonly writer: Store,
    readonly operation: AdmissionRequest['operation'],
    readonly kind: Kind,
    readonly subresource: string,
    readonly object: KubeObject | undefined,
    readonly old: KubeObject | undefined,
    private readonly options: WriteOptions,
    readonly random: Random,
    private readonly sent?: { readonly key: Key; readonly type: ObjectType },
  ) {}

  get bodyType(): ObjectType | undefined {
    return this.sent?.type;
  }
  get view(): ObjectView | undefined {
    return this.options.view;
  }
  get namespace(): string {
    if (this.sent) return this.sent.key.namespace;
    return (this.object ?? this.old)!.metadata.namespace ?? '';
  }
  get name(): string {
    if (this.sent) return this.sent.key.name;
    return (this.object ?? this.old)!.metadata.name ?? '';
  }
  get user(): User {
    return this.options.user;
  }
  get client(): Client {
    return (this.made ??= this.writer.client(this.options));
  }
  get requestKind(): Kind {
    return this.options.requested ?? this.kind;
  }
  get versions(): readonly Kind[] {
    return this.writer.registry.versionsOf(this.writer.state.resourceOf(this.kind));
  }
  get operationOptions(): Readonly<Record<string, unknown>> {
    return this.options.asked ?? NOTHING_ASKED;
  }
  get pluginState(): Map<string, unknown> {
    return (this.remembered ??= new Map());
  }
  get now(): Millis {
    return this.writer.state.now;
  }
  get dial(): Dial | undefined {
    return this.writer.dial;
  }
  get outside(): AskOutside | undefined {
    return this.writer.outside;
  }
  get fromOutside(): boolean {
    return this.options.fromOutside ?? false;
  }
  get dryRun(): boolean {
    return this.options.dryRun ?? false;
  }
  warn(text: string): void {
    this.options.warn?.(text);
  }
  requireReinvocation(): void {
    this.again = true;
  }
  revalidate(): void {
    this.changed = true;
  }
}
