import type { IDataObject } from 'n8n-workflow';

import { InputFailure, RowFailure } from '../../../messages/explainedFailure';
import { Faults } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import type { Platform } from '../../../transport/service/endpoints';
import { parsePlatform } from '../../shared/commonFields';
import { parseEnote } from '../../enote/form';
import { readEnote } from '../check/facts';
import type { Facts } from '../check/finding';
import type { NewTransaction } from '../created';
import { keyOf, type Key } from '../existing/find';
import { parseDays } from '../existing/form';
import { parseClosing } from '../form/closing';
import { parseSendOptions } from '../form/sendOptions';
import { parseTransaction } from '../form/transaction';
import { checkRows } from '../row/checkRows';
import { isByHeading, rowName } from '../row/parseRow';
import { parseWait } from '../waitForDocuments';
import { planDocuments, type PlannedDocument } from './documents';
import {
	asCreate,
	asEnote,
	ifDiffers,
	parseNumbers,
	then,
	withoutRule,
	type IfDiffers,
	type Then,
} from './form';

/** All that an item says, read and checked. */
export interface Plan {
	platform: Platform;
	transaction: NewTransaction;
	/** The number by which it's found, and how many days back. */
	key: Key;
	days: number;
	documents: PlannedDocument[];
	/** The files that no rule names. */
	leftOut: string[];
	ifDiffers: IfDiffers;
	/** The body of the request that adds the eNote. */
	enote?: object;
	/** The people whom it names, for the check. */
	names: Facts['enote'];
	then: Then;
	sendOptions: IDataObject;
	limitMs: number;
}

/**
 * Reads and checks all that an item says.
 * @throws InputFailure with everything that can't be used
 */
export async function parsePlan(call: OperationCall): Promise<Plan> {
	const { params } = call;
	const platform = parsePlatform(params);
	const parse = (one: OperationCall) =>
		asDraft(call, (platform === 'business' ? parseTransaction : parseClosing)(asCreate(one)));
	await checkRows(call, (one) => requireKey(one, parse(one), platform));
	const faults = new Faults();
	const collect = <T>(read: () => T) => faults.collect(read);
	const additional = params.object('additionalFields');
	const choiceOf = ({ name }: { name: string }, initial: string) =>
		collect(() => params.choice(name, additional[name] ?? '')) ?? initial;
	const transaction = collect(() => parse(call));
	const key = collect(() => requireKey(call, transaction, platform));
	const days = collect(() => parseDays(params, additional.createdWithin));
	const end = (collect(() => params.choice(then.name)) ?? 'draft') as Then;
	const sendOptions = collect(() => parseSendOptions(params, platform));
	const limitMs = collect(() => parseWait(params));
	const ofEnote = platform === 'realEstate' ? asEnote(call) : undefined;
	const enote = ofEnote && (await faults.collectLater(async () => await parseEnote(ofEnote)));
	const isFile = ofEnote?.params.raw('source') === 'binary' && enote !== undefined;
	const names = isFile && end === 'check' ? await readEnote(ofEnote) : undefined;
	const { documents, leftOut } = await planDocuments(call, transaction?.body, ofEnote, faults);
	if (end === 'send' && choiceOf(withoutRule, 'stop') === 'stop' && leftOut.pdfs.length > 0)
		faults.note(
			new InputFailure(
				params.label('documentRules'),
				`name no rule for ${leftOut.pdfs.join(', ')}`,
				"Nothing was sent. Add a rule, or set 'Files Without a Rule' to Leave Out",
			),
		);
	const differing = choiceOf(ifDiffers, 'stop') as IfDiffers;
	faults.throwIfAny();
	return {
		platform,
		transaction: transaction!,
		key: key!,
		days: days!,
		documents,
		leftOut: [...leftOut.pdfs, ...leftOut.others],
		ifDiffers: differing,
		enote,
		names,
		then: end,
		sendOptions: sendOptions!,
		limitMs: limitMs!,
	};
}

/** @throws InputFailure when its PDFs would be split: nobody knows what their parts are called before */
function asDraft({ params }: OperationCall, transaction: NewTransaction): NewTransaction {
	const { body, platform } = transaction;
	if (String(body.pdf_bookmarked) === 'true')
		throw new InputFailure(
			params.label('additionalJson'),
			'has "pdf_bookmarked", and no rule can name the parts of a PDF before the service has split it',
			"Remove it here. Add such a PDF to the draft with 'Document: Add'. Then set what holds for each part with 'Document: Apply Rules', which waits for the split",
		);
	return platform === 'business' ? { ...transaction, body: { ...body, draft: true } } : transaction;
}

/** @throws InputFailure when the item has no number to be found by */
function requireKey(
	call: OperationCall,
	transaction: NewTransaction | undefined,
	platform: Platform,
): Key | undefined {
	const { params, itemIndex } = call;
	const numbers = parseNumbers(params, platform);
	const key = transaction && keyOf(transaction, numbers);
	if (key !== undefined || transaction === undefined) return key;
	const fault = new InputFailure(
		params.label(numbers[0]),
		'is empty',
		'Fill it in: by this number, the next run finds what this one has created',
	);
	throw isByHeading(params) ? new RowFailure(capital(rowName(call, itemIndex)), fault) : fault;
}

const capital = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
