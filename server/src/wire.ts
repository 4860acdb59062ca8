import type { Logger } from '@ossian/shared';
import { answerQuestion } from './answer/answer-question.js';
import type { AppDependencies } from './app.js';
import { createAuthenticate } from './auth/authenticate.js';
import type { Environment } from './config/environment.js';
import { chunkDocument } from './index/chunk-document.js';
import { applyEvents } from './ingest/apply-events.js';
import { forgetSource } from './ingest/forget-source.js';
import { removeDocument } from './ingest/remove-document.js';
import { reportProgress } from './ingest/report-progress.js';
import type { DocumentChanged } from './ingest/write-batch.js';
import type { Answerer } from './models/answerer.js';
import { createAnthropicAnswerer } from './models/anthropic-answerer.js';
import type { Embedder } from './models/embedder.js';
import { createExtractiveAnswerer } from './models/extractive-answerer.js';
import { defaultRetrievalSettings } from './retrieve/retrieval-settings.js';
import { searchCorpus } from './retrieve/search-corpus.js';
import type { OpenDatabase } from './storage/open-database.js';

export interface Parts {
  readonly environment: Environment;
  readonly database: OpenDatabase;
  /** Undefined where it could not be loaded: questions are answered lexically, and say so. */
  readonly embedder: Embedder | undefined;
  readonly answerer: Answerer;
  readonly logger: Logger;
  /** Called once events were written: there may be something to embed. */
  readonly written: () => void;
  readonly isStopping: () => boolean;
}

/** Nobody listens for changed documents yet. */
const documentChanged: DocumentChanged = () => Promise.resolve();

/** Joins the parts to what the app calls. */
export function wireApp(parts: Parts): AppDependencies {
  const { environment, database, embedder, answerer, logger } = parts;
  const writing = { database, chunkDocument, documentChanged, logger };
  const reading = { database, embedder, answerer, settings: defaultRetrievalSettings, logger };
  return {
    database,
    logger,
    isStopping: parts.isStopping,
    authenticate: createAuthenticate({
      database,
      bootstrapKey: environment.OSSIAN_BOOTSTRAP_KEY,
      localKey: database.localKey,
    }),
    applyEvents: async (corpus, events) => {
      const results = await applyEvents(writing, corpus, events);
      parts.written();
      return results;
    },
    reportProgress: (corpus, progress) => reportProgress(writing, corpus, progress),
    removeDocument: (scope, documentId) => removeDocument(writing, scope, documentId),
    forgetSource: (corpus, source) => forgetSource(writing, corpus, source),
    search: (scope, request) => searchCorpus(reading, scope, request),
    ask: (scope, request, signal, onEvent) =>
      answerQuestion(reading, scope, { question: request.question, maxDocuments: request.max_documents, signal }, onEvent),
  };
}

/** The answerer that OSSIAN_ANSWERER names: by default Claude where there is a key for it, else the extractive one. */
export function createAnswerer(environment: Environment, embedder: Embedder | undefined, logger: Logger): Answerer {
  const { OSSIAN_ANSWERER: wanted, ANTHROPIC_API_KEY: apiKey } = environment;
  if (apiKey === undefined || wanted === 'extractive') return createExtractiveAnswerer({ embedder });
  const { ANTHROPIC_BASE_URL: baseUrl, OSSIAN_ANTHROPIC_MODEL: model } = environment;
  return createAnthropicAnswerer({ apiKey, baseUrl, model, logger });
}
