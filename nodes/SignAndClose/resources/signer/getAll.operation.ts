import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/transaction';
import {
	defineFilters,
	limitFields,
	parseLimit,
	parsePlatform,
	platform,
} from '../../form/commonFields';
import { defineFlag } from '../../form/fields';
import { transactionLocator } from '../../form/locators';
import { defineOutputChoice, parseOutput } from '../../form/output';
import { mayStillSign, requireSigners } from './api';
import { formatSigner } from './output';

/** The fields to select from (docs/service/signers.md#signer-answer). */
const FIELDS = (
	'address capacity email entity expiry external_id file_number first_name identity_reasons ' +
	'identity_status last_name link_expired loan_number middle_name name notary_id open order ' +
	'phone signer_external_id signing_requirement signing_status status ' +
	'transaction_access_link transaction_name vesting_type'
).split(' ');

const SELECTION =
	"The fields to return. An expression may name any other field of the service. Anyone with a 'Signing Link' can sign.";

/**
 * Lists the signers of a transaction, which are part of its answer. One item for each signer, with
 * what tells the transaction, so that the next node writes to each of them.
 */
export const getManySigners = defineOperation({
	resource: 'signer',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many signers',
	description: "List the signers of a transaction, how far they are and who hasn't signed yet",
	kind: 'read',
	properties: [
		platform,
		transactionLocator,
		...limitFields,
		defineFilters([
			defineFlag(
				'Open Only',
				'open_only',
				'Whether to return only signers for whom something is still to do',
			),
		]),
		...defineOutputChoice(FIELDS, SELECTION),
	],
	check: parseOutput,
	async execute({ service, params }) {
		const limit = parseLimit(params);
		const openOnly = params.toBoolean('open_only', params.getObject('filters').open_only) === true;
		const transaction = await retrieveTransaction(
			service,
			params.getRequiredLocator('transactionId'),
			parsePlatform(params),
		);
		const form = parseOutput(params);
		return requireSigners(transaction)
			.filter((signer) => !openOnly || mayStillSign(transaction, signer))
			.slice(0, limit)
			.map((signer) => ({ json: formatSigner(form, transaction, signer) }));
	},
});
