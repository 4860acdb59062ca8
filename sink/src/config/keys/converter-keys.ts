import { boolean, list, text } from '../config-key.js';

const group = 'Converters and transformations';
const converterClasses =
  'org.apache.kafka.connect.json.JsonConverter (default), org.apache.kafka.connect.storage.StringConverter, org.apache.kafka.connect.converters.ByteArrayConverter';

/** The keys of `key.converter` or `value.converter`. */
export function converterKeys(part: 'key' | 'value') {
  return {
    converter: text(
      {
        name: `${part}.converter`,
        group,
        importance: 'high',
        default: 'org.apache.kafka.connect.json.JsonConverter',
        doc: `What the records' ${part}s were written with: ${converterClasses}.`,
      },
      undefined,
      'class',
    ),
    schemasEnable: boolean({
      name: `${part}.converter.schemas.enable`,
      group,
      importance: 'low',
      default: 'true',
      doc: `Whether JSON ${part}s were written with schemas. Seen in each record anyway: a wrong setting does no harm.`,
    }),
  };
}

/** Transformations belong to the chain; in this version only an empty one is known. */
export const chainKeys = {
  transforms: list({
    name: 'transforms',
    group,
    importance: 'medium',
    default: '',
    doc: 'Names of transformations, in order. None is known in this version.',
  }),
  predicates: list({
    name: 'predicates',
    group,
    importance: 'low',
    default: '',
    doc: 'Names of predicates for transformations. None is known in this version.',
  }),
};
