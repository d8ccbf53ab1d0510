/** What an Operation may do, and to which groups and pods. */
package io.middleware.engine.planning.operation;
