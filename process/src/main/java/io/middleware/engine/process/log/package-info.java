/** What is left out of the log of the processes that use Temporal. */
package io.middleware.engine.process.log;
