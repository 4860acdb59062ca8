import type { TestDocument } from './load-documents.js';

/** A small knowledge base of a company's IT, as a table of articles might hold it. */
export const knowledgeBase: readonly TestDocument[] = [
  [
    'invoices',
    'Invoice retention',
    'Invoices are kept for 180 days. After that they are deleted from the billing system, and only the totals stay in the ledger.',
  ],
  [
    'vpn',
    'VPN access',
    'Install the WireGuard client from the software centre. Sign in with your company account and confirm the prompt on your phone. The VPN disconnects after 12 hours without traffic.',
  ],
  [
    'password',
    'Password rules',
    'A password has at least 14 characters. It is changed only when it may have leaked. Five wrong attempts lock the account for 30 minutes.',
  ],
  [
    'laptop',
    'New laptop',
    'New employees get a laptop on their first day. A replacement is ordered through the service desk and arrives within five working days.',
  ],
  [
    'printer',
    'Printer on the second floor',
    'The printer on the second floor jams when thick paper is used. Open tray 2, remove the sheet and press Resume. Error E-5012 means that the fuser must be replaced.',
  ],
  [
    'backup',
    'Backups of the database',
    'The orders database is backed up every night at 02:00 UTC. Backups are kept for 35 days in another region. A restore takes about 40 minutes.',
  ],
  [
    'oncall',
    'On-call duty',
    'The on-call engineer answers a page within 15 minutes. Duty changes every Monday at 10:00. Whoever was woken at night starts later the next day.',
  ],
  [
    'deploy',
    'Deploying the shop',
    'Merging to main deploys to staging. A release to production is started by hand and rolled out to ten percent of the traffic first. To roll back, run `shop rollback` on the bastion host.',
  ],
  [
    'holiday',
    'Holiday',
    'Employees have 28 days of holiday a year. Up to five unused days may be carried over until the end of March.',
  ],
  [
    'expenses',
    'Travel expenses',
    'Receipts are handed in within 30 days of the trip. Hotels up to 140 euros a night need no approval. Train travel is second class.',
  ],
  [
    'wifi',
    'Guest wireless network',
    'Guests use the network called Lighthouse. The reception prints a code that is valid for one day.',
  ],
  [
    'kafka',
    'Kafka retention',
    'Topics keep records for seven days unless they are compacted. Ask the platform team before a topic has more than 24 partitions.',
  ],
  [
    'phishing',
    'Reporting phishing',
    'Forward a suspicious message to phishing@example.com as an attachment. Do not open its links. The security team answers within an hour.',
  ],
  [
    'certificate',
    'TLS certificates',
    'Certificates of public hosts are renewed automatically 30 days before they expire. Internal hosts use the company authority, whose root certificate is installed on every laptop.',
  ],
  [
    'refund',
    'Refunds',
    'Customers get their money back within 14 days of returning the goods. Shipping is refunded only if the goods were faulty.',
  ],
  ['meeting', 'Meeting rooms', 'Rooms are booked in the calendar. A room that nobody enters within ten minutes is released.'],
  [
    'gdpr',
    'Requests for personal data',
    'A customer who asks for their personal data gets an export within 30 days. The data protection officer checks it before it is sent.',
  ],
  [
    'license',
    'Software licences',
    'Licences for design software are limited. Requests go to the service desk with the name of a cost centre.',
  ],
  [
    'monitoring',
    'Monitoring',
    'Dashboards are in Grafana. Alerts that fire more than three times a week without action are removed.',
  ],
  ['parking', 'Parking', 'The garage has forty places. Electric cars may charge for four hours on the ground level.'],
].map(([key, title, text]) => ({ key: key!, title: title!, text: text! }));

/** Questions that the knowledge base answers, with the key of the article that does; half of them in other words than the article's. */
export const answerable: readonly (readonly [question: string, key: string])[] = [
  ['How long are invoices kept?', 'invoices'],
  ['How many days do we keep bills?', 'invoices'],
  ['How do I connect from home to the company network?', 'vpn'],
  ['When does the VPN disconnect?', 'vpn'],
  ['How long must a password be?', 'password'],
  ['My account is locked, how long must I wait?', 'password'],
  ['My computer broke, how do I get another one?', 'laptop'],
  ['What does error E-5012 mean?', 'printer'],
  ['Paper is stuck in the printer', 'printer'],
  ['When is the orders database backed up?', 'backup'],
  ['How quickly can we recover the database after a disaster?', 'backup'],
  ['How fast must the on-call engineer react?', 'oncall'],
  ['How do I undo a bad release?', 'deploy'],
  ['How many vacation days do I get?', 'holiday'],
  ['What may a hotel cost?', 'expenses'],
  ['How do visitors get internet access?', 'wifi'],
  ['How long do Kafka topics keep records?', 'kafka'],
  ['What should I do with a suspicious email?', 'phishing'],
  ['When are certificates renewed?', 'certificate'],
  ['When does a customer get the money back?', 'refund'],
  ['A customer wants to know what we store about him', 'gdpr'],
  ['Where can I charge my electric car?', 'parking'],
  ['How do I reserve a room for a meeting?', 'meeting'],
  ['Where do I find the dashboards?', 'monitoring'],
];

/** Questions that it does not answer, some of them with its words. */
export const unanswerable: readonly string[] = [
  'What is the capital of Mongolia?',
  'Who won the world cup in 2018?',
  'How do I cook pasta?',
  'What is the boiling point of mercury?',
  'When was the Eiffel tower built?',
  'How tall is Mount Everest?',
  'What is the best treatment for a cold?',
  'Who wrote War and Peace?',
  'How many moons does Jupiter have?',
  'What is the plot of Hamlet?',
  'How do I change the oil of a tractor?',
  'Which team leads the football league?',
  '蒙古的首都是什么？',
];

/** Questions about the same company that no article answers: near in meaning, so that a floor alone cannot tell them all. */
export const nearMisses: readonly string[] = [
  'What is the salary of the chief executive?',
  'Who is the head of security?',
  'When was the company founded?',
  'What is the phone number of the reception?',
  'Which brand of laptop do we use?',
  'How much does a licence of the design software cost?',
  'How many employees are there?',
  'What is for lunch in the canteen today?',
];
