import { stemmer } from 'stemmer';

const stopWords = new Set(
  (
    'a about after all am an and any are as at be because been before being but by can could did do does for from had has have having ' +
    'he her here him his how i if in into is it its just me more most much my no not of off on one only or other our out over own she ' +
    'should so some such than that the their them then there these they this those to under up very was we were what when where which ' +
    'while who whom why will with would you your long many often please tell get got may must need want know use used'
  ).split(' '),
);

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The stems of a text's words, stop words left out; scripts without spaces are cut by the segmenter's dictionary. */
export function readWords(text: string): string[] {
  const stems: string[] = [];
  for (const { segment, isWordLike } of words.segment(text.toLowerCase())) {
    if (isWordLike === true && !stopWords.has(segment)) stems.push(stemmer(segment));
  }
  return stems;
}

/** What a text counts, dates and amounts included: statements that differ in one are never the same. */
export function readNumbers(text: string): string {
  return (text.match(/\d+(?:[.,:/-]\d+)*/gu) ?? []).sort().join(' ');
}
