import type { NodeHint } from 'n8n-workflow';

/*
 * What a choice in the form means for later runs, shown before the node runs. n8n evaluates the
 * conditions, which have to give true or false.
 */

/** Builds the condition for a hint from an expression over the parameters. */
const when = (condition: string) => `={{ Boolean(${condition}) }}`;

const CREATES = '["create", "createClosing"].includes($parameter["operation"])';

/** A hint beside the output, until the node has run. */
const before = (message: string, condition: string): NodeHint => ({
	message,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
	displayCondition: when(condition),
});

export const staticHints: NodeHint[] = [
	before(
		"'Create as Draft' is off: the service sends the transaction to its signers as soon as it's created, and its signers can no longer be changed without a recall",
		'$parameter["operation"] === "create" && $parameter["draft"] === false',
	),
	before(
		"If your organization is a lender, the closing can be sent only with a title agency, and with the eNote or 'Paper Note Consent'. 'Title Agency' and 'Paper Note Consent' are among the 'Additional Fields'; a contact with the role Title Agent serves, too",
		'$parameter["operation"] === "createClosing" && $parameter["fieldsFrom"] === "form" && !($parameter["additionalFields"]?.paper_note_consent && ($parameter["additionalFields"]?.titleAgencyId?.value || $parameter["additionalFields"]?.contacts?.row?.length))',
	),
	before(
		"'Suppress Email' is on: the signers get no invitation. Add 'Return Access Links' to give them their links",
		'$parameter["additionalFields"]?.suppress_email === true && $parameter["additionalFields"]?.returnAccessLinks !== true',
	),
	before(
		'Each row of the input becomes a transaction of its own. All rows are checked before the first one is sent',
		`${CREATES} && $parameter["fieldsFrom"] === "row"`,
	),
];
