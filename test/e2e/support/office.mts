import type { Turn } from './chatModel.mts';
import type { Portfolio } from './portfolio.mts';
import { toForm } from '../../support/closing.mts';

/** An agent of an office that closes loans: its tools, and what people ask it. */

/** A parameter that the model fills in, as the editor writes it. */
const byModel = (key: string, description: string, type = 'string') =>
	`={{ $fromAI('${key}', '${description}', '${type}', ${type === 'string' ? "''" : 'undefined'}) }}`;
const chosenByModel = (key: string, description: string) => ({
	__rl: true,
	mode: 'id',
	value: byModel(key, description),
});
const transactionId = chosenByModel('transaction_id', 'ID of the transaction');
const ofClosing = { platform: 'realEstate', transactionId };

/** The tools of the agent, as somebody who closes loans would set them up. */
export const TOOLS: Record<string, Record<string, unknown>> = {
	Find_closings: {
		resource: 'transaction',
		operation: 'getAll',
		platform: 'realEstate',
		filters: {
			name_contains: byModel('name', 'Part of the name'),
			loan_number: byModel('loan_number', 'Loan number'),
			signer_email: byModel('signer_email', 'Email of a signer'),
		},
	},
	Open_signers: {
		resource: 'signer',
		operation: 'getAll',
		...ofClosing,
		filters: { open_only: true },
	},
	Record: {
		resource: 'notarizationRecord',
		operation: 'get',
		platform: 'realEstate',
		recordId: chosenByModel('record_id', 'ID of the notarization record'),
	},
	Check_address: {
		resource: 'address',
		operation: 'verify',
		transactionType: 'refinance',
		addressLine1: byModel('street', 'Street and number'),
		addressCity: byModel('city', 'City'),
		addressState: byModel('state', 'State, two letters'),
		addressZipCode: byModel('zip', 'Zip code'),
	},
	Resend_email: { resource: 'transaction', operation: 'resendEmail', ...ofClosing },
	Send: { resource: 'transaction', operation: 'send', ...ofClosing },
	Correct_signer: {
		resource: 'transaction',
		operation: 'correctSigner',
		settingsNotShown: 'set',
		closingSettings: { paper_note_consent: true },
		...ofClosing,
		signerId: chosenByModel('signer', 'ID or email of the signer'),
		corrections: { email: byModel('email', 'The right email') },
	},
	Rename: {
		resource: 'transaction',
		operation: 'update',
		settingsNotShown: 'none',
		...ofClosing,
		updateFields: { transaction_name: byModel('name', 'The new name') },
	},
	Open_closing: {
		resource: 'transaction',
		operation: 'createClosing',
		transactionType: 'refinance',
		transactionName: byModel('name', 'Name of the closing'),
		signers: {
			row: [
				{
					email: byModel('email', 'Email of the borrower'),
					first_name: byModel('first_name', 'First name of the borrower'),
					last_name: byModel('last_name', 'Last name of the borrower'),
				},
			],
		},
		addressLine1: byModel('street', 'Street and number'),
		addressCity: byModel('city', 'City'),
		addressState: byModel('state', 'State, two letters'),
		addressZipCode: byModel('zip', 'Zip code'),
		...toForm({
			recordingJurisdictionId: { __rl: true, mode: 'id', value: 'rlboston' },
			titleAgencyId: { __rl: true, mode: 'id', value: 'or_agency_harbor' },
			titleUnderwriterId: { __rl: true, mode: 'id', value: 'or_underwriter_atlantic' },
		}),
	},
};

type Row = Record<string, any>;

/** What a tool told the model, as objects. */
const rowsIn = (told: string | undefined): Row[] => {
	const parsed = JSON.parse(told ?? 'null') as unknown;
	return (Array.isArray(parsed) ? parsed : [parsed]) as Row[];
};
const last = (told: readonly string[]) => rowsIn(told.at(-1));

/** A call without what the model doesn't know. */
const call =
	(tool: string, args: object = {}): Turn =>
	() => [{ tool, args }];
/** A call about the transaction that was found before. */
const onFound =
	(tool: string, args: object = {}): Turn =>
	(told) => [{ tool, args: { transaction_id: rowsIn(told[0])[0].transaction_id, ...args } }];
const found = (args: object) =>
	call('Find_closings', { name: '', loan_number: '', signer_email: '', ...args });
const MILLER = found({ name: 'Miller' });
const BAKER = found({ name: 'Baker' });

/** What somebody asks, and how a model finds the answer. */
interface Question {
	question: string;
	script: Turn[];
	/** What the model can say from what the tools told it. */
	answer: (told: readonly string[]) => string;
	expected: string | RegExp;
	/** The write that it needs, as the service gets it; none for a question that only reads. */
	write?: (of: Portfolio) => string;
}

const names = (rows: Row[]) => rows.map(({ name }) => name as string).join(', ');
const HARBOR = { street: '100 Harbor Street', city: 'Boston', state: 'MA', zip: '02110' };
const path = (id: string, rest = '') => `/mortgage/v1/transactions/${id}${rest}`;

export const QUESTIONS: Question[] = [
	{
		question: 'Where is the Miller closing?',
		script: [MILLER],
		answer: (told) => `${last(told)[0].transaction_name}: ${last(told)[0].status}`,
		expected: /^Refinance Miller: (partially_completed|received|active|sent)$/,
	},
	{
		question: "Who hasn't signed loan 7001234?",
		script: [found({ loan_number: '7001234' }), onFound('Open_signers')],
		answer: (told) => names(last(told)),
		expected: 'Mark Miller',
	},
	{
		question: 'Resend to the co-borrower of the Millers.',
		script: [MILLER, onFound('Resend_email')],
		answer: (told) => `Sent again: ${last(told)[0].transaction_name}`,
		expected: 'Sent again: Refinance Miller',
		write: ({ miller }) => `POST ${path(miller, '/send_email')}`,
	},
	{
		question: 'Rename the Baker closing to "Purchase Baker, unit 4".',
		script: [BAKER, onFound('Rename', { name: 'Purchase Baker, unit 4' })],
		answer: (told) => last(told)[0].transaction_name,
		expected: 'Purchase Baker, unit 4',
		write: ({ baker }) => `PUT ${path(baker)}`,
	},
	{
		question: 'The Baker package is complete. Send it.',
		script: [BAKER, onFound('Send')],
		answer: (told) => last(told)[0].status,
		expected: /^sent/,
		write: ({ baker }) => `POST ${path(baker, '/place_order')}`,
	},
	{
		question: "Ben Baker's email is ben@baker.example. Correct it.",
		script: [BAKER, onFound('Correct_signer', { signer: 'ben-baker', email: 'ben@baker.example' })],
		answer: (told) => last(told)[0].signers[0].email,
		expected: 'ben@baker.example',
		write: ({ baker }) => `PUT ${path(baker)}`,
	},
	{
		question: 'Who notarized the Carter closing, and when?',
		script: [
			found({ name: 'Carter' }),
			(told) => [
				{ tool: 'Record', args: { record_id: rowsIn(told[0])[0].notarization_record_id } },
			],
		],
		answer: (told) => `${last(told)[0].notary_name}, ${last(told)[0].meeting_end}`,
		expected: /^\S+ .*, \d{4}-/,
	},
	{
		question: 'Can 100 Harbor Street in Boston be closed online?',
		script: [call('Check_address', HARBOR)],
		answer: (told) => String(last(told)[0].recording_jurisdiction_id),
		expected: 'rlboston',
	},
	{
		question: 'Open a refinance closing for Nora Novak, 100 Harbor Street, Boston.',
		script: [
			call('Open_closing', {
				name: 'Refinance Novak',
				email: 'nora.novak@example.com',
				first_name: 'Nora',
				last_name: 'Novak',
				...HARBOR,
			}),
		],
		answer: (told) => `${last(told)[0].transaction_name}: ${last(told)[0].status}`,
		expected: 'Refinance Novak: started',
		write: () => 'POST /mortgage/v1/transactions',
	},
];
