import { Faults } from '../../../messages/inputFaults';
import type { Params } from '../../../run/parameters/params';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import {
	parseDesignations,
	parseTextDesignations,
	type UnplacedDesignation,
} from '../places/designations';
import { parseFieldDesignations } from '../places/formFieldRows';
import { setSigners } from '../places/signers';
import { parseWhereToSign } from '../places/whereToSign';
import type { Rule } from './rules';

/* Whose the places of a rule are in a transaction that is there, before any file is read. */

/** Finds the signers of a rule in a transaction. Whoever can't be told is told when the rule places. */
export function findRuleSigners(rule: Rule, transaction: TransactionAnswer): Rule {
	const { choice, leavesOut } = parseWhereToSign(rule.params);
	const entries = parseEntries(rule.params, choice, new Faults());
	return {
		...rule,
		assignment: setSigners(entries, transaction, { leavesOut: leavesOut.signers }),
	};
}

/** What a person has entered for the choice. Faults get what can't be used, each with its row. */
function parseEntries(
	params: Params,
	choice: string,
	faults: Faults,
): Array<Omit<UnplacedDesignation, 'box'>> {
	if (choice === 'text') return parseTextDesignations(params, faults);
	if (choice === 'fields') return parseFieldDesignations(params, faults);
	const isJson = choice === 'json';
	return isJson || choice === 'rows' ? parseDesignations(params, isJson, faults) : [];
}
