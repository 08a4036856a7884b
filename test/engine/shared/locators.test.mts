import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { closingFile } from '../../support/createAndSend.mts';
import { CLOSING, id } from '../../support/closing.mts';
import { attempt, BUSINESS, JANE, UPDATE_CLOSING } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Lists in which nothing is chosen. The editor stores them as the form defines them, which is
 * without the mark that n8n gives a choice.
 */

useSandbox();

const ON = { platform: 'realEstate', transactionId: id('ot_1') };
/** What else an operation needs, by its name and the platform. */
const FORMS: Record<string, IDataObject> = {
	createClosing: CLOSING,
	create: BUSINESS,
	createAndSend: closingFile(),
	update: { ...UPDATE_CLOSING, ...ON },
	'update on Business': { ...UPDATE_CLOSING, ...ON, platform: 'business' },
	correctSigner: { ...UPDATE_CLOSING, ...ON, operation: 'correctSigner', signerId: id('s1') },
};

interface Place {
	label: string;
	/** The outermost parameter, and what is stored there when the list was added. */
	stored: IDataObject;
}

/** The lists among the fields that a person adds to a collection, each in its place. */
function addedLists(properties: INodeProperties[], isAdded = false): Place[] {
	return properties.flatMap(
		({ name, type, displayName: label, default: unchosen, options = [] }) => {
			const within = (inner: INodeProperties[], wrap: (stored: IDataObject) => unknown) =>
				addedLists(inner, type === 'collection').map((place) => ({
					...place,
					stored: { [name]: wrap(place.stored) } as IDataObject,
				}));
			if (type === 'resourceLocator')
				return isAdded ? [{ label, stored: { [name]: unchosen as IDataObject } }] : [];
			return options.flatMap((option) => {
				if ('values' in option)
					return within(option.values, (row) => ({ row: [{ ...JANE, ...row }] }));
				return 'type' in option ? within([option], (stored) => stored) : [];
			});
		},
	);
}

const CASES = Object.entries(FORMS).flatMap(([form, parameters]) => {
	const { properties } = operations.find(({ value }) => value === form.split(' ')[0])!;
	return properties
		.filter(
			({ displayOptions, name }) =>
				name !== 'signerSettings' &&
				(displayOptions?.show?.platform?.includes(parameters.platform as string) ?? true),
		)
		.flatMap((property) => addedLists([property]))
		.map(({ label, stored }) => ({ form, label, parameters: { ...parameters, ...stored } }));
});

test('many lists are added to collections', () => expect(CASES.length).toBeGreaterThan(6));

test.each(CASES)(
	"$form: '$label' without a choice says so before anything is sent",
	async ({ label, parameters }) => {
		sandbox.requests.length = 0;
		const { error } = await attempt(parameters);
		const said = `${error?.message}. ${error?.description}`;
		expect(said).toMatch(
			new RegExp(`${label}' is left without a choice\\. Choose one from the list`),
		);
		expect(said).not.toContain('object');
		expect(sandbox.requests).toEqual([]);
	},
);
