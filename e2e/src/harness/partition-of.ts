import { Partitioners } from 'kafkajs';

/** The partition that a Kafka producer, Debezium's included, gives a record with this key (murmur2 of its bytes). */
export function partitionOf(key: string, partitions: number): number {
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
    ...{ partitionId, leader: 0, partitionErrorCode: 0 },
    ...{ replicas: [], isr: [], offlineReplicas: [] },
  }));
  return Partitioners.DefaultPartitioner()({ topic: '', partitionMetadata, message: { key, value: null } });
}

/** The first ids, counted from `from`, whose records (with the key `{"id":…}`) lie on the wanted partitions, one each. */
export function idsOnPartitions(wanted: readonly number[], partitions: number, from = 1): number[] {
  let next = from;
  return wanted.map((partition) => {
    while (partitionOf(`{"id":${next}}`, partitions) !== partition) next += 1;
    return next++;
  });
}
