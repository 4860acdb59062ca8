import { describe, expect, it } from '@jest/globals';
import { PauseReasons } from './pause-reasons.js';
import { nextTaskState, type TaskEvent, taskEvents, type TaskState, taskStates } from './task-state.js';

// The whole table, written out by hand: state, then what each event makes of it.
const table: Record<TaskState, [start: TaskState, pause: TaskState, resume: TaskState, fail: TaskState, stop: TaskState]> = {
  UNASSIGNED: ['RUNNING', 'PAUSED', 'UNASSIGNED', 'FAILED', 'STOPPED'],
  RUNNING: ['RUNNING', 'PAUSED', 'RUNNING', 'FAILED', 'STOPPED'],
  PAUSED: ['PAUSED', 'PAUSED', 'RUNNING', 'FAILED', 'STOPPED'],
  FAILED: ['RUNNING', 'FAILED', 'FAILED', 'FAILED', 'STOPPED'],
  STOPPED: ['RUNNING', 'STOPPED', 'STOPPED', 'STOPPED', 'STOPPED'],
};
const order: TaskEvent[] = ['start', 'pause', 'resume', 'fail', 'stop'];
const rows = taskStates.flatMap((state) => order.map((event, index) => [state, event, table[state][index]!] as const));

describe('the state of a task', () => {
  it.each(rows)('%s, on %s, is %s', (state, event, expected) => {
    expect(nextTaskState(state, event)).toBe(expected);
  });
  it('has every event in the table above', () => {
    expect([...taskEvents].sort()).toEqual([...order].sort());
  });
  it('FAILED is left by no pause, resume or further fault: only by a restart or a stop', () => {
    const left = taskEvents.filter((event) => nextTaskState('FAILED', event) !== 'FAILED');
    expect(left).toEqual(['start', 'stop']);
  });
});

describe('the reasons for a pause', () => {
  it('a partition is fetched again only when the last reason is gone', () => {
    const reasons = new PauseReasons();
    expect(reasons.add('t/0', 'buffer')).toBe(true);
    expect(reasons.add('t/0', 'operator')).toBe(false);
    expect(reasons.add('t/0', 'operator')).toBe(false);
    expect(reasons.remove('t/0', 'buffer')).toBe(false);
    expect(reasons.of('t/0')).toEqual(['operator']);
    expect(reasons.remove('t/0', 'buffer')).toBe(false);
    expect(reasons.remove('t/0', 'operator')).toBe(true);
    expect(reasons.remove('t/0', 'operator')).toBe(false);
    expect(reasons.add('t/1', 'buffer')).toBe(true);
  });
});
