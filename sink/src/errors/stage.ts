/** Kafka Connect's stages (org.apache.kafka.connect.runtime.errors.Stage), as far as a sink has them. */
export const stages = ['KEY_CONVERTER', 'VALUE_CONVERTER', 'HEADER_CONVERTER', 'TRANSFORMATION', 'TASK_PUT'] as const;
export type Stage = (typeof stages)[number];
