/** Checks: what must hold before, during and after a change, and their results. */
package io.middleware.engine.api.check;
