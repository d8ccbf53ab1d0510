/** The rules that refuse an edit, each beside its reason. */
package io.middleware.engine.planning.validation;
