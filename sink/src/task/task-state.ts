/** A task's states, in Kafka Connect's words (org.apache.kafka.connect.runtime.AbstractStatus.State). */
export const taskStates = ['UNASSIGNED', 'RUNNING', 'PAUSED', 'FAILED', 'STOPPED'] as const;
export type TaskState = (typeof taskStates)[number];

export const taskEvents = ['start', 'pause', 'resume', 'fail', 'stop'] as const;
export type TaskEvent = (typeof taskEvents)[number];

/**
 * State × event. An event that means nothing in a state leaves it as it is: requests and faults may cross (a pause that
 * arrives while the task fails), and none of them may revive a task that has ended. FAILED and STOPPED are left only by
 * `start`, which is what a restart is.
 */
const transitions: Readonly<Record<TaskState, Readonly<Record<TaskEvent, TaskState>>>> = {
  UNASSIGNED: { start: 'RUNNING', pause: 'PAUSED', resume: 'UNASSIGNED', fail: 'FAILED', stop: 'STOPPED' },
  RUNNING: { start: 'RUNNING', pause: 'PAUSED', resume: 'RUNNING', fail: 'FAILED', stop: 'STOPPED' },
  PAUSED: { start: 'PAUSED', pause: 'PAUSED', resume: 'RUNNING', fail: 'FAILED', stop: 'STOPPED' },
  FAILED: { start: 'RUNNING', pause: 'FAILED', resume: 'FAILED', fail: 'FAILED', stop: 'STOPPED' },
  STOPPED: { start: 'RUNNING', pause: 'STOPPED', resume: 'STOPPED', fail: 'STOPPED', stop: 'STOPPED' },
};

export function nextTaskState(state: TaskState, event: TaskEvent): TaskState {
  return transitions[state][event];
}
