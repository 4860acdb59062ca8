import type { EventInput } from '@ossian/shared';
import type { IgnoredKind } from '../record/ignored-kind.js';

/** How the mapping core ends one record; bad ones are thrown as RecordError. */
export type MappedRecord =
  | {
      readonly kind: 'event';
      readonly event: EventInput;
      /** Configured columns that the row lacks while others have text: counted as `missing_column`. */
      readonly missingColumns: readonly string[];
    }
  | { readonly kind: 'ignored'; readonly reason: IgnoredKind };
