-- Some people have fewer rights than their role has: a cashier only pays, a supervisor of the floor only validates.

-- Without a value all rights of the role. The names of rights are the program's, with commas between them. The program
-- checks them, since a constraint would be new to older programs: a token with a name that it does not know is none.
ALTER TABLE actor ADD COLUMN rights text;
