import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';

@InputType({ description: 'A container whose log is read.' })
export class LogSourceInput {
  @Field(() => String) namespace!: string;
  @Field(() => String) pod!: string;
  @Field(() => String, { nullable: true, description: 'Without it the pod’s only one.' }) container?: string;
}

@ObjectType('LogLine', { description: 'A line of a container’s log, as it was written: control characters too.' })
export class LogLineType {
  @Field(() => Int, { description: 'Place of its container in the argument `sources`.' }) source!: number;
  @Field(() => String, { description: 'Virtual time, RFC 3339.' }) at!: string;
  @Field(() => String) text!: string;
}

@ObjectType('LogEnd', { description: 'A log that has ended.' })
export class LogEndType {
  @Field(() => Int) source!: number;
  @Field(() => String, { description: 'Why it could not be read; empty when it has ended.' }) reason!: string;
}

@ObjectType('LogBatch')
export class LogBatchType {
  @Field(() => [LogLineType], { description: 'By time.' }) lines!: readonly LogLineType[];
  @Field(() => [LogEndType]) ended!: readonly LogEndType[];
  @Field(() => Int, { description: 'Lines that were left out because the reader was slow.' }) dropped!: number;
}
