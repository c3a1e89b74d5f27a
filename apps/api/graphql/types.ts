import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { nouns } from '@terrarium/platform';
import { Json, Long } from './json.scalar.js';
import { inputType, objectType } from './zod-types.js';

export const ClusterType = objectType('Cluster', nouns.Cluster);
export const ClusterListType = objectType('ClusterList', nouns.ClusterList.extend({ items: nouns.Cluster.array() }));
export const FlowReadingType = objectType('FlowReading', nouns.FlowReading);
export const TraceType = objectType('Trace', nouns.Trace);
export const NewClusterInput = inputType('NewCluster', nouns.NewCluster);

export enum ChangeType {
  ADDED = 'ADDED',
  MODIFIED = 'MODIFIED',
  DELETED = 'DELETED',
}
registerEnumType(ChangeType, { name: 'ChangeType' });

@ObjectType({ description: 'One change of one object: what a watch sees, with who did it and why.' })
export class Change {
  @Field(() => ChangeType) type!: ChangeType;
  @Field(() => Json, { description: 'After the change; for DELETED its last state.' }) object!: unknown;
  @Field(() => Long) revision!: number;
  @Field(() => String, { description: 'A user or a component.' }) actor!: string;
  @Field(() => Long, { description: 'The revision that this change answers to; 0 for a request from outside.' })
  cause!: number;
  @Field(() => String, { description: 'Virtual time, RFC 3339.' }) at!: string;
  @Field(() => String, { description: "'deployments.apps'" }) resource!: string;
  @Field(() => String) namespace!: string;
  @Field(() => String) name!: string;
}

@ObjectType()
export class ObjectList {
  @Field(() => [Json]) items!: unknown[];
  @Field(() => String, { nullable: true, description: 'Hand it in again for the next page.' }) continue?: string;
  @Field(() => Int, { nullable: true }) remaining?: number;
  @Field(() => String) revision!: string;
}

@InputType({ description: 'Names one object.' })
export class ObjectRef {
  @Field(() => String) apiVersion!: string;
  @Field(() => String) kind!: string;
  @Field(() => String, { nullable: true }) namespace?: string;
  @Field(() => String) name!: string;
}
