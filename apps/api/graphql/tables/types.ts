import { Field, Float, Int, ObjectType } from '@nestjs/graphql';
import { Long, TableRow } from '../json.scalar.js';

@ObjectType({ description: 'A resource that a cluster serves, by its discovery; custom ones too.' })
export class Resource {
  @Field(() => String, { description: "'' is the core group." }) group!: string;
  @Field(() => String) version!: string;
  @Field(() => String, { description: "'apps/v1', or 'v1'." }) apiVersion!: string;
  @Field(() => String) kind!: string;
  @Field(() => String, { description: 'The plural, as in paths.' }) resource!: string;
  @Field(() => String) singular!: string;
  @Field(() => Boolean) namespaced!: boolean;
  @Field(() => [String]) verbs!: readonly string[];
  @Field(() => [String]) shortNames!: readonly string[];
  @Field(() => [String]) categories!: readonly string[];
  @Field(() => [String], { description: "'scale', 'status', 'log'." }) subresources!: readonly string[];
  @Field(() => Boolean, { description: 'Of its group, this version is the preferred one.' }) preferred!: boolean;
}

@ObjectType({ description: 'A column of the API server’s own Table.' })
export class TableColumn {
  @Field(() => String) name!: string;
  @Field(() => String, { description: "'string', 'integer', 'number', 'boolean', 'date'." }) type!: string;
  @Field(() => String) format!: string;
  @Field(() => String) description!: string;
  @Field(() => Int, { description: '0 is always shown, the others by `-o wide`.' }) priority!: number;
}

@ObjectType({ description: 'What `kubectl get` prints of a resource.' })
export class Table {
  @Field(() => [TableColumn]) columns!: readonly TableColumn[];
  @Field(() => [TableRow]) rows!: readonly unknown[];
  @Field(() => String, { nullable: true, description: 'Hand it in again for the next page.' }) continue?: string;
  @Field(() => Int, { nullable: true }) remaining?: number;
  @Field(() => String) revision!: string;
}

@ObjectType({ description: 'How a Table has changed since the batch before; of each row only its newest state.' })
export class TableBatch {
  @Field(() => Boolean, {
    description: 'These are all rows: the first batch, and one after a gap. What was before is to be forgotten.',
  })
  reset!: boolean;
  @Field(() => [TableColumn], { nullable: true, description: 'With `reset`.' }) columns?: readonly TableColumn[];
  @Field(() => [TableRow], { description: 'Added or changed.' }) rows!: readonly unknown[];
  @Field(() => [String], { description: 'Keys of rows that are gone.' }) removed!: readonly string[];
  @Field(() => Long) revision!: number;
  @Field(() => Float, { nullable: true, description: 'With `reset`: a time of the cluster (virtual ms), for ages.' })
  now?: number;
  @Field(() => Float, { nullable: true, description: 'With `reset`: real ms since it was that time.' }) age?: number;
}
