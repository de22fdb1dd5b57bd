/**
 * One file, for one process: emitting the package's declarations takes ten seconds, and each
 * process would repeat it.
 */
import "./completion.ts";
import "./declarations.ts";
import "./field-docs.ts";
import "./nameable.ts";
